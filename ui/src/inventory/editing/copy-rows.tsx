/** The rows of items that are added at once. Barcodes are scanned one after the other, one into each row. */

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Field } from "../../parts/field.tsx";
import { takeScansInForm } from "../../scanning/steer.ts";
import { useWords } from "../../words/index.tsx";
import { useRecordWords } from "../words/records.tsx";
import {
  addScannedBarcode,
  type FirstNumbers,
  MAX_COPIES,
  type NewCopy,
  renumberCopies,
  resizeCopies,
} from "./copies.ts";

interface Props {
  copies: readonly NewCopy[];
  counting: FirstNumbers;
  onChange: (copies: NewCopy[], counting?: FirstNumbers) => void;
  /** The error messages of refused items, by the id of the item. */
  refused: ReadonlyMap<string, string>;
}

export function CopyRows({ copies, counting, onChange, refused }: Props) {
  const words = useRecordWords();
  const rows = useRef<HTMLOListElement>(null);
  const latest = useRef((_: string) => {});
  latest.current = (barcode) => onChange(addScannedBarcode(copies, barcode, counting));
  useEffect(() => takeScansInForm((barcode) => latest.current(barcode)), []);
  const set = (id: string, change: Partial<NewCopy>) =>
    onChange(copies.map((copy) => (copy.id === id ? { ...copy, ...change } : copy)));
  const count = (member: keyof FirstNumbers) => (first: string) =>
    onChange(renumberCopies(copies, member, first), { ...counting, [member]: first });
  // A slow scanner is not recognised as one; its Enter moves to the next barcode.
  const goOn = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const barcodes = [...(rows.current?.querySelectorAll<HTMLInputElement>("input[name=barcode]") ?? [])];
    barcodes[barcodes.indexOf(event.target as HTMLInputElement) + 1]?.focus();
  };
  return (
    <section className="sheet" aria-label={words.copies.title}>
      <h2>{words.copies.title}</h2>
      <p className="help">{words.copies.help}</p>
      <div className="fields">
        <CopyCountField copies={copies} onChange={(many) => onChange(resizeCopies(copies, many, counting))} />
        <Field
          label={words.copies.firstVolume}
          help={words.copies.countsOn}
          value={counting.volume}
          onChange={count("volume")}
        />
        <Field label={words.copies.firstCopy} value={counting.copyNumber} onChange={count("copyNumber")} />
      </div>
      <ol className="copies" ref={rows}>
        {copies.map((copy, index) => (
          <CopyRow
            key={copy.id}
            copy={copy}
            number={index + 1}
            isOnly={copies.length === 1}
            error={refused.get(copy.id)}
            onChange={(change) => set(copy.id, change)}
            onRemove={() => onChange(copies.filter(({ id }) => id !== copy.id))}
            onEnter={goOn}
          />
        ))}
      </ol>
    </section>
  );
}

interface RowProps {
  copy: NewCopy;
  number: number;
  isOnly: boolean;
  error: string | undefined;
  onChange: (change: Partial<NewCopy>) => void;
  onRemove: () => void;
  onEnter: (event: KeyboardEvent) => void;
}

function CopyRow({ copy, number, isOnly, error, onChange, onRemove, onEnter }: RowProps) {
  const words = useRecordWords();
  const common = useWords();
  const { fields } = words;
  const isReadOnly = copy.isMade === true;
  return (
    <li>
      <Field
        label={fields.barcode ?? ""}
        name="barcode"
        value={copy.barcode}
        onChange={(barcode) => onChange({ barcode })}
        onKeyDown={onEnter}
        error={error}
        isReadOnly={isReadOnly}
        autoComplete="off"
        autoFocus={number === 1}
      />
      <Field
        label={fields.volume ?? ""}
        value={copy.volume}
        onChange={(volume) => onChange({ volume })}
        isReadOnly={isReadOnly}
      />
      <Field
        label={fields.copyNumber ?? ""}
        value={copy.copyNumber}
        onChange={(copyNumber) => onChange({ copyNumber })}
        isReadOnly={isReadOnly}
      />
      {isReadOnly ? (
        <p className="made">{words.copies.made}</p>
      ) : (
        !isOnly && (
          <Button
            kind="quiet"
            aria-label={`${common.remove}: ${words.copies.one(number, copy.barcode)}`}
            onPress={onRemove}
          >
            {common.remove}
          </Button>
        )
      )}
    </li>
  );
}

/**
 * Rows are added or removed only when the number is complete: while 12 is typed over 10, there would be one row for a
 * moment, and the values of the others would be lost.
 */
function CopyCountField({ copies, onChange }: { copies: readonly NewCopy[]; onChange: (many: number) => void }) {
  const words = useRecordWords();
  const [text, setText] = useState(String(copies.length));
  useEffect(() => setText(String(copies.length)), [copies.length]);
  const settle = () => {
    const many = Math.floor(Number(text));
    if (many >= 1 && many !== copies.length) onChange(many);
    else setText(String(copies.length));
  };
  return (
    <Field
      label={words.copies.howMany}
      type="number"
      value={text}
      onChange={setText}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        settle();
      }}
      help={words.copies.most(MAX_COPIES)}
    />
  );
}
