/** The parts of a record that may be repeated: a line of fields for each, and a button to add another. */

import { type ReactNode, useEffect, useRef } from "react";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";

interface Props<Part> {
  /** The name of the repeated part. */
  legend: string;
  add: string;
  parts: readonly Part[] | undefined;
  blank: Part;
  onChange: (parts: Part[]) => void;
  children: (part: Part, change: (change: Partial<Part>) => void) => ReactNode;
}

export function RepeatableFields<Part extends object>({
  legend,
  add,
  parts = [],
  blank,
  onChange,
  children,
}: Props<Part>) {
  const words = useWords();
  const group = useRef<HTMLFieldSetElement>(null);
  const before = useRef(parts.length);
  const isAsked = useRef(false);
  // A new line gets the focus; after a line is removed the focus goes to the button, since the button that had it is
  // gone.
  useEffect(() => {
    const steps = parts.length - before.current;
    before.current = parts.length;
    if (!isAsked.current || steps === 0) return;
    isAsked.current = false;
    const line = steps > 0 ? group.current?.querySelector<HTMLElement>(":scope > .one:nth-last-of-type(1)") : null;
    const field = line?.querySelector<HTMLElement>("input:not([type=checkbox]):not([tabindex='-1']), textarea");
    (field ?? group.current?.querySelector<HTMLElement>(":scope > .button"))?.focus();
  }, [parts.length]);
  const set = (changed: Part[]) => {
    isAsked.current = true;
    onChange(changed);
  };
  return (
    <fieldset className="several" ref={group}>
      <legend>{legend}</legend>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity, and their fields keep nothing of their own
        <div className="one" key={index}>
          {children(part, (change) => onChange(parts.with(index, { ...part, ...change })))}
          <Button
            kind="quiet"
            aria-label={`${words.remove}: ${legend} ${index + 1}`}
            onPress={() => set(parts.toSpliced(index, 1))}
          >
            {words.remove}
          </Button>
        </div>
      ))}
      <Button onPress={() => set([...parts, blank])}>{add}</Button>
    </fieldset>
  );
}
