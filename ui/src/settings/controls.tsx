/** A field of a settings form, drawn by its specification. */

import { Checkbox } from "react-aria-components/Checkbox";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { useFormats } from "../words/index.tsx";
import { dayOfInstant, instantOfDay } from "./days.ts";
import { valueAt, visibleSpecs, withValue } from "./draft.ts";
import type { Option, SettingRecord, Spec } from "./kind.ts";
import { defaultUnit } from "./kinds/units.ts";
import type { Options } from "./sources.ts";
import { useSettingsWords } from "./words/index.tsx";

interface Props {
  spec: Spec;
  record: SettingRecord;
  onChange: (record: SettingRecord) => void;
  options: Options;
  error?: string | undefined;
  autoFocus?: boolean;
}

export function Control({ spec, record, onChange, options, error, autoFocus = false }: Props) {
  const { timeZone } = useFormats();
  const said = valueAt(record, spec.at);
  const say = (value: unknown) => onChange(withValue(record, spec.at, value));
  const { label, help, required = false } = spec;
  const common = { label, help, error, isRequired: required };
  switch (spec.is) {
    case "text":
      return (
        <Field
          {...common}
          name={spec.at}
          className={(spec.lines ?? 1) > 1 || spec.wide ? "wide" : ""}
          lines={spec.lines ?? 1}
          {...(spec.secret && { type: "password", autoComplete: "new-password" })}
          value={toText(said)}
          onChange={say}
          autoFocus={autoFocus}
        />
      );
    case "number":
    case "money":
      return (
        <Field
          {...common}
          value={toText(said)}
          onChange={say}
          inputMode={spec.is === "money" ? "decimal" : "numeric"}
          pattern={spec.is === "money" ? "\\d+([.,]\\d{1,2})?" : "\\d+"}
        />
      );
    case "day":
      return (
        <Field
          {...common}
          type="date"
          value={typeof said === "string" ? dayOfInstant(said, timeZone) : ""}
          onChange={(day) => say(day === "" ? undefined : instantOfDay(day, timeZone, spec.end === true))}
        />
      );
    case "yes":
      return <CheckboxControl label={label} help={help} error={error} value={said === true} onChange={say} />;
    case "choice":
      return (
        <ChoiceControl
          {...common}
          options={options(spec.from)}
          value={typeof said === "string" ? said : ""}
          onChange={(id) => {
            const changed = withValue(record, spec.at, id);
            if (spec.also === undefined || typeof spec.from !== "string") return onChange(changed);
            const chosen = options.records(spec.from).find((one) => one.id === id);
            onChange(spec.also(changed, chosen, options.records));
          }}
        />
      );
    case "many":
      return (
        <CheckboxList
          label={label}
          help={help}
          error={error}
          options={options(spec.from)}
          value={Array.isArray(said) ? (said as string[]) : []}
          onChange={say}
        />
      );
    case "period":
    case "rate":
      return <AmountControl spec={spec} {...common} value={(said ?? {}) as SettingRecord} onChange={say} />;
    case "list":
      return (
        <RowsControl
          spec={spec}
          error={error}
          rows={Array.isArray(said) ? (said as SettingRecord[]) : []}
          onChange={say}
          options={options}
        />
      );
  }
}

const toText = (said: unknown) => (said === undefined || said === null ? "" : String(said));

const NO_CHOICE = "-";

interface ControlProps {
  label: string;
  help: string | undefined;
  error: string | undefined;
}

function ChoiceControl({
  options,
  value,
  onChange,
  isRequired,
  ...said
}: ControlProps & {
  options: readonly Option[];
  value: string;
  isRequired: boolean;
  onChange: (value: string | undefined) => void;
}) {
  const words = useSettingsWords();
  // An optional field can be cleared; a required one has no empty choice.
  const offered = isRequired ? options : [{ id: NO_CHOICE, name: words.nothing }, ...options];
  return (
    <Choice
      {...said}
      isRequired={isRequired}
      options={offered}
      value={value || (isRequired ? null : NO_CHOICE)}
      onChange={(id) => onChange(id === NO_CHOICE ? undefined : id)}
      placeholder={words.choose}
    />
  );
}

function CheckboxControl({
  label,
  help,
  error,
  value,
  onChange,
}: ControlProps & { value: boolean; onChange: (value: boolean) => void }) {
  return (
    <div className="yes">
      <Checkbox className="check" isSelected={value} onChange={onChange}>
        <span className="tick" aria-hidden="true" />
        {label}
      </Checkbox>
      {help && <p className="help">{help}</p>}
      {error && <p className="error">{error}</p>}
    </div>
  );
}

function CheckboxList({
  label,
  help,
  error,
  options,
  value,
  onChange,
}: ControlProps & { options: readonly Option[]; value: readonly string[]; onChange: (value: string[]) => void }) {
  return (
    <fieldset className="checks wide">
      <legend>{label}</legend>
      {help && <p className="help">{help}</p>}
      <div className="columns">
        {options.map(({ id, name }) => (
          <Checkbox
            className="check"
            key={id}
            isSelected={value.includes(id)}
            onChange={(on) => onChange(on ? [...value, id] : value.filter((one) => one !== id))}
          >
            <span className="tick" aria-hidden="true" />
            {name}
          </Checkbox>
        ))}
      </div>
      {error && <p className="error">{error}</p>}
    </fieldset>
  );
}

/** A number and a unit: a period, or an amount of money for each unit. */
function AmountControl({
  spec,
  value,
  onChange,
  label,
  isRequired,
  ...said
}: ControlProps & {
  spec: Spec & { is: "period" | "rate" };
  value: SettingRecord;
  isRequired: boolean;
  onChange: (value: SettingRecord | undefined) => void;
}) {
  const words = useSettingsWords();
  const amount = spec.is === "period" ? "duration" : "quantity";
  const unit = toText(value.intervalId) || defaultUnit(spec.units);
  return (
    <div className="amount">
      <Field
        {...said}
        label={label}
        isRequired={isRequired}
        value={toText(value[amount])}
        onChange={(said) => onChange(said === "" ? undefined : { ...value, [amount]: said, intervalId: unit })}
        inputMode={spec.is === "period" ? "numeric" : "decimal"}
        pattern={spec.is === "period" ? "\\d+" : "\\d+([.,]\\d{1,2})?"}
      />
      <Choice
        label={`${label}: ${spec.is === "period" ? words.unit : words.forEach}`}
        hideLabel
        options={spec.units}
        value={unit}
        onChange={(intervalId) => onChange({ ...value, intervalId })}
      />
    </div>
  );
}

function RowsControl({
  spec,
  rows,
  onChange,
  options,
  error,
}: {
  spec: Spec & { is: "list" };
  rows: readonly SettingRecord[];
  onChange: (rows: SettingRecord[]) => void;
  options: Options;
  error: string | undefined;
}) {
  const words = useSettingsWords();
  return (
    <div className="wide listed">
      {error && <p className="error">{error}</p>}
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no names of their own, and keep their order
        <fieldset className="one-of-list" key={index}>
          <legend>{spec.each(index + 1)}</legend>
          <div className="fields">
            {visibleSpecs(spec.fields, row).map((field) => (
              <Control
                key={field.at}
                spec={field}
                record={row}
                options={options}
                onChange={(changed) => onChange(rows.map((one, place) => (place === index ? changed : one)))}
              />
            ))}
          </div>
          <Button
            kind="quiet"
            aria-label={`${words.removeRow}: ${spec.each(index + 1)}`}
            onPress={() => onChange(rows.filter((_, place) => place !== index))}
          >
            {words.removeRow}
          </Button>
        </fieldset>
      ))}
      <Button className="start" onPress={() => onChange([...rows, spec.blank as SettingRecord])}>
        {spec.add}
      </Button>
    </div>
  );
}
