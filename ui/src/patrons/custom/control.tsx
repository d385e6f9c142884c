/** The form field of a custom field. */

import { useEffect, useRef } from "react";
import type { CustomField } from "../../api/custom-fields.ts";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { CheckboxField } from "../../parts/tick.tsx";
import { asList, type CustomValue, isText, optionsOf, takesSeveral } from "./values.ts";
import { useCustomWords } from "./words/index.tsx";

interface Props {
  field: CustomField;
  value: CustomValue;
  onChange: (value: CustomValue) => void;
  error: string | undefined;
}

export function CustomControl({ field, value, onChange, error }: Props) {
  if (field.type === "SINGLE_CHECKBOX") {
    return (
      <div className="yes">
        <CheckboxField value={value === true} onChange={onChange}>
          {field.name}
        </CheckboxField>
        {field.helpText && <p className="help">{field.helpText}</p>}
        {error && <p className="error">{error}</p>}
      </div>
    );
  }
  if (isText(field)) return <CustomTextField field={field} value={value} onChange={onChange} error={error} />;
  if (field.type === "DATE_PICKER") {
    return (
      <Field
        type="date"
        label={field.name}
        help={field.helpText}
        value={asList(value)[0] ?? ""}
        onChange={(day) => onChange(day || undefined)}
        isRequired={field.required ?? false}
        error={error}
      />
    );
  }
  if (takesSeveral(field)) return <CustomCheckboxes field={field} value={value} onChange={onChange} error={error} />;
  if (field.type === "RADIO_BUTTON")
    return <CustomRadioButtons field={field} value={value} onChange={onChange} error={error} />;
  return <CustomChoice field={field} value={value} onChange={onChange} error={error} />;
}

const MAX_SHORT_TEXT = 150;
const MAX_LONG_TEXT = 1500;
const TEXT_LINES = 4;

/** Digits with points, commas and blanks between them; the server accepts more forms of numbers. */
const NUMBER_PATTERN = "-?[\\d.,\\s]*\\d";

function CustomTextField({ field, value, onChange, error }: Props) {
  const words = useCustomWords();
  const several = field.isRepeatable === true;
  const long = field.type === "TEXTBOX_LONG";
  const format = field.textField?.fieldFormat;
  return (
    <Field
      label={field.name}
      className={long || several ? "wide" : ""}
      lines={long || several ? TEXT_LINES : 1}
      help={field.helpText ?? (several ? words.lines : format === "NUMBER" ? words.number : undefined)}
      value={asList(value).join("\n")}
      onChange={(text) => onChange(text === "" ? undefined : several ? text.split("\n") : text)}
      isRequired={field.required ?? false}
      error={error}
      autoComplete="off"
      {...(!several && { maxLength: long ? MAX_LONG_TEXT : MAX_SHORT_TEXT })}
      {...(!several && !long && { type: format === "EMAIL" ? "email" : format === "URL" ? "url" : "text" })}
      {...(!several && !long && format === "NUMBER" && { pattern: NUMBER_PATTERN, inputMode: "decimal" as const })}
    />
  );
}

const NO_OPTION = "-";

function CustomChoice({ field, value, onChange, error }: Props) {
  const words = useCustomWords();
  const { required = false } = field;
  const options = required ? optionsOf(field) : [{ id: NO_OPTION, name: words.none }, ...optionsOf(field)];
  return (
    <Choice
      label={field.name}
      help={field.helpText}
      options={options}
      value={asList(value)[0] ?? (required ? null : NO_OPTION)}
      placeholder={words.choose}
      onChange={(id) => onChange(id === NO_OPTION ? undefined : id)}
      isRequired={required}
      error={error}
    />
  );
}

/** Native radio buttons: arrow keys move between them, and the browser asks for a required choice. */
function CustomRadioButtons({ field, value, onChange, error }: Props) {
  const words = useCustomWords();
  const { required = false } = field;
  const options = required ? optionsOf(field) : [...optionsOf(field), { id: "", name: words.none }];
  const chosen = asList(value)[0] ?? "";
  return (
    <fieldset className="checks">
      <legend>{field.name}</legend>
      {field.helpText && <p className="help">{field.helpText}</p>}
      {options.map(({ id, name }) => (
        <label className="radio" key={id}>
          <input
            type="radio"
            name={field.refId}
            value={id}
            checked={chosen === id}
            onChange={() => onChange(id || undefined)}
            required={required}
          />
          {name}
        </label>
      ))}
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}

function CustomCheckboxes({ field, value, onChange, error }: Props) {
  const words = useCustomWords();
  const chosen = asList(value);
  const first = useRef<HTMLInputElement>(null);
  const isMissing = field.required === true && chosen.length === 0;
  // The browser asks for a choice when the form is sent, as for other required fields.
  useEffect(() => first.current?.setCustomValidity(isMissing ? words.chooseOne : ""), [isMissing, words]);
  return (
    <fieldset className="checks">
      <legend>{field.name}</legend>
      {field.helpText && <p className="help">{field.helpText}</p>}
      {optionsOf(field).map(({ id, name }, index) => (
        <label className="radio" key={id}>
          <input
            type="checkbox"
            {...(index === 0 && { ref: first })}
            checked={chosen.includes(id)}
            onChange={(event) => {
              const left = chosen.filter((one) => one !== id);
              const next = event.target.checked ? [...left, id] : left;
              onChange(next.length === 0 ? undefined : next);
            }}
          />
          {name}
        </label>
      ))}
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}
