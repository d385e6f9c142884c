/** The input of one position of a fixed field: a list of codes, or a text. */

import type { CodedValue } from "./fixed.ts";
import { BLANK } from "./record.ts";
import { useMarcWords } from "./words/index.tsx";

/** The gap between code and name in the list, so wide that the closed list shows only the code. */
const CODE_NAME_GAP = "\u2003\u2003";

interface Props {
  label: string;
  value: string;
  values: readonly CodedValue[] | undefined;
  length: number;
  isLocked: boolean;
  isWrong?: boolean;
  onChange: (value: string) => void;
}

export function PositionInput({ label, value, values, length, isLocked, isWrong = false, onChange }: Props) {
  const own = useMarcWords();
  const masked = value.replaceAll(" ", BLANK);
  if (values === undefined) {
    return (
      <input
        dir="ltr"
        aria-label={label}
        data-member="items"
        value={masked}
        size={Math.max(2, length)}
        maxLength={length}
        disabled={isLocked}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value.replaceAll(" ", BLANK))}
      />
    );
  }
  const isKnown = values.some(([code]) => code === masked);
  return (
    <select
      dir="ltr"
      aria-label={label}
      title={values.find(([code]) => code === masked)?.[1]}
      data-member="items"
      value={masked}
      disabled={isLocked}
      {...(isWrong && { "aria-invalid": true })}
      onChange={(event) => onChange(event.target.value)}
    >
      {!isKnown && <option value={masked}>{own.other(masked)}</option>}
      {values.map(([code, name]) => (
        <option key={code} value={code}>
          {code}
          {CODE_NAME_GAP}
          {name}
        </option>
      ))}
    </select>
  );
}
