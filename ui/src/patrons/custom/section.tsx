/** The custom fields in the form of a patron. */

import { useQuery } from "@tanstack/react-query";
import { customFields } from "../../api/custom-fields.ts";
import { useMay } from "../../shell/session.ts";
import type { Draft } from "../editing/draft.ts";
import { Sheet } from "../editing/sections.tsx";
import { CustomControl } from "./control.tsx";
import { refusedValues } from "./refusals.ts";
import { pathOf } from "./values.ts";
import { useCustomWords } from "./words/index.tsx";
import "./custom.css";

interface Props {
  draft: Draft;
  change: (part: Draft) => void;
  error: unknown;
}

/** None for whoever may not see which there are: what a patron has in them stays as it is. */
export function useCustomFields() {
  const may = useMay();
  const asked = useQuery({ ...customFields, enabled: may("user-settings.custom-fields.collection.get") });
  return asked.data?.filter(({ visible }) => visible !== false) ?? [];
}

export function CustomSection({ draft, change, error }: Props) {
  const words = useCustomWords();
  const fields = useCustomFields();
  const refused = refusedValues(error, words);
  if (fields.length === 0) return null;
  return (
    <Sheet title={words.title}>
      <div className="fields">
        {fields.map((field) => (
          <CustomControl
            key={field.refId}
            field={field}
            value={draft[pathOf(field.refId)]}
            onChange={(value) => change({ [pathOf(field.refId)]: value })}
            error={refused.get(field.refId)}
          />
        ))}
      </div>
    </Sheet>
  );
}
