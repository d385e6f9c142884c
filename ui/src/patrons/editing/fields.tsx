/** Fields of a patron's record, by their paths. */

import { Field } from "../../parts/field.tsx";
import { usePatronWords } from "../words/index.tsx";
import type { Draft } from "./draft.ts";
import type { Problem } from "./refusals.ts";

export interface Editing {
  draft: Draft;
  change: (part: Draft) => void;
  /** What the server has refused, at its field. */
  problem: Problem | undefined;
}

/** The paths of what is text. */
export type TextPath = {
  [K in keyof Draft]-?: K extends `customFields.${string}` ? never : string extends Draft[K] ? K : never;
}[keyof Draft];

interface Props extends Editing {
  at: TextPath;
  type?: "text" | "email" | "tel";
  isRequired?: boolean;
  autoFocus?: boolean;
  help?: string | undefined;
}

export function TextOf({ at, draft, change, problem, ...field }: Props) {
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
