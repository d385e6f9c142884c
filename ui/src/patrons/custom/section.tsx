/** The section of a patron's form with the custom fields. */

import { useQuery } from "@tanstack/react-query";
import { customFields } from "../../api/custom-fields.ts";
import { useMay } from "../../shell/session.ts";
import type { Draft } from "../editing/draft.ts";
import { FormSection } from "../editing/sections.tsx";
import { CustomControl } from "./control.tsx";
import { valueErrors } from "./refusals.ts";
import { draftPath } from "./values.ts";
import { useCustomWords } from "./words/index.tsx";
import "./custom.css";

interface Props {
  draft: Draft;
  change: (part: Draft) => void;
  error: unknown;
}

/** Empty for staff who may not read the definitions of custom fields; the patron's values then stay unchanged. */
export function useCustomFields() {
  const may = useMay();
  const asked = useQuery({ ...customFields, enabled: may("user-settings.custom-fields.collection.get") });
  return asked.data?.filter(({ visible }) => visible !== false) ?? [];
}

export function CustomSection({ draft, change, error }: Props) {
  const words = useCustomWords();
  const fields = useCustomFields();
  const refused = valueErrors(error, words);
  if (fields.length === 0) return null;
  return (
    <FormSection title={words.title}>
      <div className="fields">
        {fields.map((field) => (
          <CustomControl
            key={field.refId}
            field={field}
            value={draft[draftPath(field.refId)]}
            onChange={(value) => change({ [draftPath(field.refId)]: value })}
            error={refused.get(field.refId)}
          />
        ))}
      </div>
    </FormSection>
  );
}
