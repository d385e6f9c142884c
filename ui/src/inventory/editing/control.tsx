/** The form field for a member of a record, as its specification says. */

import { useEffect, useRef } from "react";
import { Field } from "../../parts/field.tsx";
import { CheckboxField } from "../../parts/tick.tsx";
import { takeScansInForm } from "../../scanning/steer.ts";
import { valueAt, withValue } from "../../settings/draft.ts";
import { useFormats } from "../../words/index.tsx";
import { TitleLinks } from "../linked/links.tsx";
import { linksIn } from "../linked/relations.ts";
import { labelOf, useRecordWords } from "../words/records.tsx";
import { languageName, parseLanguageCodes } from "./languages.ts";
import { RepeatableLines, TagsField, TextLines } from "./list.tsx";
import { ListChoice, ListMultiChoice } from "./pick.tsx";
import type { FieldSpec, RecordJson } from "./spec.ts";

interface Props {
  spec: FieldSpec;
  record: RecordJson;
  onChange: (record: RecordJson) => void;
  error: string | undefined;
  autoFocus: boolean;
}

export function RecordField({ spec, record, onChange, error, autoFocus }: Props) {
  const words = useRecordWords();
  const said = valueAt(record, spec.at);
  const say = (value: unknown) => onChange(withValue(record, spec.at, value));
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
      return <BarcodeInput label={label} help={help} error={error} value={text} onChange={say} autoFocus={autoFocus} />;
    case "day":
      return (
        <Field label={label} error={error} value={dayOf(text)} onChange={say} {...(isDay(text) && { type: "date" })} />
      );
    case "yes":
      return (
        <CheckboxField value={said === true} onChange={say}>
          {label}
        </CheckboxField>
      );
    case "choice": {
      const chosen = spec.isObject ? (said as { id?: string } | undefined)?.id : text || undefined;
      return (
        <ListChoice
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
      return <ListMultiChoice label={label} from={spec.from} values={many} onChange={say} />;
    case "texts":
      return <TextLines at={spec.at} lines={spec.lines ?? 1} texts={many} onChange={say} />;
    case "languages":
      return <LanguagesField label={label} help={help} codes={many} onChange={say} />;
    case "tags":
      return <TagsField label={label} help={help} tags={many} onChange={say} />;
    case "titles":
      return <TitleLinks spec={spec} titleId={String(record.id)} links={linksIn(record, spec.at)} onChange={say} />;
    case "list":
      return <RepeatableLines spec={spec} lines={Array.isArray(said) ? (said as RecordJson[]) : []} onChange={say} />;
  }
}

/** FOLIO stores days as texts: a text that is not a day is shown as it is. */
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

function BarcodeInput({ onChange, ...field }: BarcodeProps) {
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => takeScansInForm((barcode) => latest.current(barcode)), []);
  return (
    <Field
      {...field}
      name="barcode"
      onChange={onChange}
      // A slow scanner is not recognised as one, but its Enter must not send the form either.
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

function LanguagesField({ label, help, codes, onChange }: LanguagesProps) {
  const { locale } = useFormats();
  const names = codes.filter(Boolean).map((code) => languageName(code, locale));
  return (
    <Field
      label={label}
      help={names.join(", ") || help}
      value={codes.join(" ")}
      onChange={(text) => onChange(parseLanguageCodes(text))}
    />
  );
}
