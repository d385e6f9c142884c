/** Chooses one or several values of a list of the server. A value that is not required can be removed. */

import { useRef } from "react";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { useWords } from "../../words/index.tsx";
import { useRecordWords } from "../words/records.tsx";
import { useOptions } from "./options.ts";
import type { ChoiceSource } from "./spec.ts";

const NO_CHOICE = "-";

interface Props {
  label: string;
  from: ChoiceSource;
  value: string | undefined;
  onChange: (id: string | undefined) => void;
  isRequired?: boolean;
  error?: string | undefined;
  autoFocus?: boolean;
}

export function ListChoice({ label, from, value, onChange, isRequired = false, error, autoFocus = false }: Props) {
  const words = useRecordWords();
  const options = useOptions(from);
  const offered = isRequired ? options : [{ id: NO_CHOICE, name: words.nothing }, ...options];
  return (
    <Choice
      label={label}
      options={offered}
      value={value ?? (isRequired ? null : NO_CHOICE)}
      onChange={(id) => onChange(id === NO_CHOICE ? undefined : id)}
      placeholder={words.choose}
      isRequired={isRequired}
      error={error}
      autoFocus={autoFocus}
    />
  );
}

interface MultiChoiceProps {
  label: string;
  from: ChoiceSource;
  values: readonly string[];
  onChange: (ids: string[]) => void;
}

export function ListMultiChoice({ label, from, values, onChange }: MultiChoiceProps) {
  const common = useWords();
  const words = useRecordWords();
  const options = useOptions(from);
  const group = useRef<HTMLFieldSetElement>(null);
  const remove = (id: string) => {
    onChange(values.filter((one) => one !== id));
    // The button has gone, and the focus would go with it.
    group.current?.querySelector<HTMLElement>(".chosen")?.focus();
  };
  // While the options are being loaded, nothing is shown instead of an id.
  const nameOf = (id: string) => options.find((one) => one.id === id)?.name ?? (options.length === 0 ? "\u00a0" : id);
  return (
    <fieldset className="pick-many" ref={group}>
      <legend>{label}</legend>
      <div className="chips">
        {values.map((id) => (
          <Button
            key={id}
            className="chip"
            aria-label={`${common.remove}: ${label}, ${nameOf(id)}`}
            onPress={() => remove(id)}
          >
            {nameOf(id)} <span className="cross" aria-hidden="true" />
          </Button>
        ))}
        <Choice
          label={words.addOne(label)}
          hideLabel
          options={options.filter(({ id }) => !values.includes(id))}
          value={null}
          onChange={(id) => onChange([...values, id])}
          placeholder={words.more}
        />
      </div>
    </fieldset>
  );
}
