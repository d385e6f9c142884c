/** A text field that filters a list. */

import { useState } from "react";

/** The filter applies with Enter, or when the field loses the focus: a half-typed barcode would find nothing. */
export function TextFilter(props: { label: string; value: string; onChange: (text: string | undefined) => void }) {
  const { label, value, onChange } = props;
  const [draft, setDraft] = useState<string>();
  const send = () => {
    if (draft !== undefined && draft.trim() !== value) onChange(draft.trim() || undefined);
    setDraft(undefined);
  };
  return (
    <label className="list-days">
      {label}
      <input
        type="search"
        value={draft ?? value}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={send}
        onKeyDown={(event) => event.key === "Enter" && send()}
        autoComplete="off"
        spellCheck={false}
      />
    </label>
  );
}
