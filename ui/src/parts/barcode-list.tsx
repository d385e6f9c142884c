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
          onChange={async (event) => {
            const chosen = event.target.files?.[0];
            if (chosen) onChange(await chosen.text());
          }}
        />
      </label>
    </>
  );
}
