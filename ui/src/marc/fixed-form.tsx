/** Field 006, 007 or 008 as a form of its positions. */

import { type FixedPosition, type Specification, withCategory, withType } from "./fixed.ts";
import type { Items, Row } from "./record.ts";
import { PositionInput } from "./signs.tsx";
import { useMarcWords } from "./words/index.tsx";

interface Props {
  row: Row;
  parts: readonly FixedPosition[];
  leader: string;
  specification: Specification | undefined;
  isLocked: boolean;
  onChange: (items: Items) => void;
}

export function FixedFieldForm({ row, parts, leader, specification, isLocked, onChange }: Props) {
  const own = useMarcWords();
  const { tag, items = {} } = row;
  const write = (code: string, value: string | string[]) => {
    // A category (007) or type (006) determines the positions of the field.
    if (tag === "007" && code === "Category") onChange(withCategory(items, String(value)));
    else if (tag === "006" && code === "Type") onChange(withType(items, String(value), leader, specification));
    else onChange({ ...items, [code]: value });
  };
  return (
    <fieldset className="marc-fixed">
      <legend className="unseen">{own.fixedField(tag)}</legend>
      {parts.map(({ code, name, length, isList, isReadOnly, values }) => {
        const value = items[code] ?? "";
        const signs = isList ? Array.from({ length }, (_, place) => value[place] ?? "\\") : [];
        return (
          <div key={code} className="marc-sign" title={name}>
            <span aria-hidden="true">{code}</span>
            {isList && values ? (
              signs.map((sign, place) => (
                <PositionInput
                  // biome-ignore lint/suspicious/noArrayIndexKey: it is its place that names a character
                  key={place}
                  label={own.sign(name, place + 1)}
                  value={sign}
                  values={values}
                  length={1}
                  isLocked={isLocked || isReadOnly}
                  onChange={(changed) => write(code, signs.with(place, changed))}
                />
              ))
            ) : (
              <PositionInput
                label={name}
                value={typeof value === "string" ? value : value.join("")}
                values={values}
                length={length}
                isLocked={isLocked || isReadOnly}
                onChange={(changed) => write(code, isList ? [...changed] : changed)}
              />
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
