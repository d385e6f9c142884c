/** A field for many barcodes: pasted, or read from a file. */

import { Field } from "./field.tsx";

interface Props {
  label: string;
  help: string;
  file: string;
  value: string;
  onChange: (text: string) => void;
}

export function BarcodeList({ label, help, file, value, onChange }: Props) {
  return (
    <>
      <Field label={label} help={help} lines={8} value={value} onChange={onChange} autoFocus />
      <label className="field">
        {file}
        <input
          type="file"
          accept=".csv,.txt,text/plain,text/csv"
          onChange={async ({ target }) => {
            const chosen = target.files?.[0];
            // So that the same file can be chosen again.
            target.value = "";
            if (chosen) onChange(await chosen.text());
          }}
        />
      </label>
    </>
  );
}
