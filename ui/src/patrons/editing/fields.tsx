/** Text fields of a patron's form, by the paths of their members. */

import { Field } from "../../parts/field.tsx";
import { usePatronWords } from "../words/index.tsx";
import type { Draft } from "./draft.ts";
import type { Problem } from "./refusals.ts";

export interface DraftEditing {
  draft: Draft;
  change: (part: Draft) => void;
  /** The refusal of the server, shown at its field. */
  problem: Problem | undefined;
}

/** The paths of text members. */
export type TextPath = {
  [K in keyof Draft]-?: K extends `customFields.${string}` ? never : string extends Draft[K] ? K : never;
}[keyof Draft];

interface Props extends DraftEditing {
  at: TextPath;
  type?: "text" | "email" | "tel";
  isRequired?: boolean;
  autoFocus?: boolean;
  help?: string | undefined;
}

export function PatronTextField({ at, draft, change, problem, ...field }: Props) {
  const words = usePatronWords();
  return (
    <Field
      {...field}
      label={words.fields[at] ?? at}
      value={draft[at] ?? ""}
      onChange={(value) => change({ [at]: value })}
      error={problem?.field === at ? words.refused[problem.reason] : undefined}
      autoComplete="off"
    />
  );
}
