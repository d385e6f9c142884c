/** The barcode of the card. A scan goes there from wherever the focus is in the form; what it sends after it sends nothing. */

import { useEffect, useRef } from "react";
import { Field } from "../../parts/field.tsx";
import { takeScansInForm } from "../../scanning/steer.ts";
import { usePatronWords } from "../words/index.tsx";
import type { Editing } from "./fields.tsx";

export function BarcodeField({ draft, change, problem }: Editing) {
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
      // A scanner that is slower than a hand sends Enter, too.
      onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      error={problem?.field === "barcode" ? words.refused.taken : undefined}
      autoComplete="off"
    />
  );
}
