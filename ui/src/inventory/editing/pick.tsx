/** One or several of a list that the server keeps. What may be left out can be left out again. */

import { useRef } from "react";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { useWords } from "../../words/index.tsx";
import { useRecordWords } from "../words/records.tsx";
import { useOptions } from "./options.ts";
import type { Source } from "./spec.ts";

const NOTHING = "-";

interface Props {
  label: string;
  from: Source;
  value: string | undefined;
  onChange: (id: string | undefined) => void;
  isRequired?: boolean;
  error?: string | undefined;
  autoFocus?: boolean;
}

export function Pick({ label, from, value, onChange, isRequired = false, error, autoFocus = false }: Props) {
  const words = useRecordWords();
  const options = useOptions(from);
  const offered = isRequired ? options : [{ id: NOTHING, name: words.nothing }, ...options];
  return (
    <Choice
      label={label}
      options={offered}
      value={value ?? (isRequired ? null : NOTHING)}
      onChange={(id) => onChange(id === NOTHING ? undefined : id)}
      placeholder={words.choose}
      isRequired={isRequired}
      error={error}
      autoFocus={autoFocus}
    />
  );
}

interface ManyProps {
  label: string;
  from: Source;
  values: readonly string[];
  onChange: (ids: string[]) => void;
}

export function PickMany({ label, from, values, onChange }: ManyProps) {
  const common = useWords();
  const words = useRecordWords();
  const options = useOptions(from);
  const group = useRef<HTMLFieldSetElement>(null);
  const remove = (id: string) => {
    onChange(values.filter((one) => one !== id));
    // The button has gone, and the focus would go with it.
    group.current?.querySelector<HTMLElement>(".chosen")?.focus();
  };
  // Ids without names are not shown in a hurry.
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
