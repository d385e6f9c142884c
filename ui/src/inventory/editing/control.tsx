/** A field of a form about a record, as its declaration says. */

import { useEffect, useRef } from "react";
import { Field } from "../../parts/field.tsx";
import { Tick } from "../../parts/tick.tsx";
import { takeScansInForm } from "../../scanning/steer.ts";
import { at, put } from "../../settings/draft.ts";
import { useFormats } from "../../words/index.tsx";
import { Links } from "../linked/links.tsx";
import { linksIn } from "../linked/relations.ts";
import { labelOf, useRecordWords } from "../words/records.tsx";
import { codesIn, languageName } from "./languages.ts";
import { Lines, Tags, Texts } from "./list.tsx";
import { Pick, PickMany } from "./pick.tsx";
import type { Spec, Stored } from "./spec.ts";

interface Props {
  spec: Spec;
  record: Stored;
  onChange: (record: Stored) => void;
  error: string | undefined;
  autoFocus: boolean;
}

export function Control({ spec, record, onChange, error, autoFocus }: Props) {
  const words = useRecordWords();
  const said = at(record, spec.at);
  const say = (value: unknown) => onChange(put(record, spec.at, value));
  const label = labelOf(words, spec.at);
  const help = words.help[spec.at];
  const many = Array.isArray(said) ? (said as string[]) : [];
  const text = typeof said === "string" ? said : "";
  const isRequired = spec.required === true;
  switch (spec.is) {
    case "text": {
      const lines = spec.lines ?? 1;
      const field = { label, help, error, lines, isRequired, autoFocus };
      return <Field {...field} value={text} onChange={say} {...(lines > 1 && { className: "wide" })} />;
    }
    case "barcode":
      return <Barcode label={label} help={help} error={error} value={text} onChange={say} autoFocus={autoFocus} />;
    case "day":
      return (
        <Field label={label} error={error} value={dayOf(text)} onChange={say} {...(isDay(text) && { type: "date" })} />
      );
    case "yes":
      return (
        <Tick value={said === true} onChange={say}>
          {label}
        </Tick>
      );
    case "choice": {
      const chosen = spec.isObject ? (said as { id?: string } | undefined)?.id : text || undefined;
      return (
        <Pick
          label={label}
          from={spec.from}
          value={chosen}
          onChange={(id) => say(spec.isObject && id !== undefined ? { id } : id)}
          isRequired={isRequired}
          error={error}
          autoFocus={autoFocus}
        />
      );
    }
    case "many":
      return <PickMany label={label} from={spec.from} values={many} onChange={say} />;
    case "texts":
      return <Texts at={spec.at} lines={spec.lines ?? 1} texts={many} onChange={say} />;
    case "languages":
      return <Languages label={label} help={help} codes={many} onChange={say} />;
    case "tags":
      return <Tags label={label} help={help} tags={many} onChange={say} />;
    case "titles":
      return <Links spec={spec} of={String(record.id)} links={linksIn(record, spec.at)} onChange={say} />;
    case "list":
      return <Lines spec={spec} lines={Array.isArray(said) ? (said as Stored[]) : []} onChange={say} />;
  }
}

/** FOLIO's days are texts: what is none is shown as it is. */
const isDay = (text: string) => text === "" || /^\d{4}-\d{2}-\d{2}/.test(text);
const dayOf = (text: string) => (isDay(text) ? text.slice(0, 10) : text);

interface BarcodeProps {
  label: string;
  help: string | undefined;
  error: string | undefined;
  value: string;
  onChange: (barcode: string) => void;
  autoFocus: boolean;
}

function Barcode({ onChange, ...field }: BarcodeProps) {
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => takeScansInForm((barcode) => latest.current(barcode)), []);
  return (
    <Field
      {...field}
      name="barcode"
      onChange={onChange}
      // A scanner that is slower than a hand sends Enter, too.
      onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      autoComplete="off"
    />
  );
}

interface LanguagesProps {
  label: string;
  help: string | undefined;
  codes: readonly string[];
  onChange: (codes: string[]) => void;
}

function Languages({ label, help, codes, onChange }: LanguagesProps) {
  const { locale } = useFormats();
  const names = codes.filter(Boolean).map((code) => languageName(code, locale));
  return (
    <Field
      label={label}
      help={names.join(", ") || help}
      value={codes.join(" ")}
      onChange={(text) => onChange(codesIn(text))}
    />
  );
}
