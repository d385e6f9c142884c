/** Of a part of a record that may be there more than once: a line of fields for each, and the way to another. */

import type { ReactNode } from "react";
import { useWords } from "../words/index.tsx";
import { Button } from "./button.tsx";

interface Props<Part> {
  /** What each of them is. */
  legend: string;
  add: string;
  parts: readonly Part[] | undefined;
  blank: Part;
  onChange: (parts: Part[]) => void;
  children: (part: Part, change: (change: Partial<Part>) => void) => ReactNode;
}

export function Several<Part extends object>({ legend, add, parts = [], blank, onChange, children }: Props<Part>) {
  const words = useWords();
  return (
    <fieldset className="several">
      <legend>{legend}</legend>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity, and their fields keep nothing of their own
        <div className="one" key={index}>
          {children(part, (change) => onChange(parts.with(index, { ...part, ...change })))}
          <Button
            kind="quiet"
            aria-label={`${words.remove}: ${legend} ${index + 1}`}
            onPress={() => onChange(parts.toSpliced(index, 1))}
          >
            {words.remove}
          </Button>
        </div>
      ))}
      <Button onPress={() => onChange([...parts, blank])}>{add}</Button>
    </fieldset>
  );
}
