/**
 * The barcode of the patron's card. A scan goes there from every field of the form, and its Enter does not send the
 * form.
 */

import { useEffect, useRef } from "react";
import { Field } from "../../parts/field.tsx";
import { takeScansInForm } from "../../scanning/steer.ts";
import { usePatronWords } from "../words/index.tsx";
import type { DraftEditing } from "./fields.tsx";

export function BarcodeField({ draft, change, problem }: DraftEditing) {
  const words = usePatronWords();
  const latest = useRef(change);
  latest.current = change;
  useEffect(() => takeScansInForm((barcode) => latest.current({ barcode })), []);
  return (
    <Field
      name="barcode"
      label={words.fields.barcode ?? ""}
      help={words.help.barcode}
      value={draft.barcode ?? ""}
      onChange={(barcode) => change({ barcode })}
      // A slow scanner is not recognised as one, but its Enter must not send the form either.
      onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      error={problem?.field === "barcode" ? words.refused.taken : undefined}
      autoComplete="off"
    />
  );
}
