/** An amount of money as people write it: with a point or a comma before the cents. */

import { useFormats, useWords } from "../words/index.tsx";
import { Field } from "./field.tsx";

interface Props {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The largest amount that is accepted. */
  most?: number;
  autoFocus?: boolean;
}

export function AmountField({ most, ...props }: Props) {
  const words = useWords();
  const formats = useFormats();
  return (
    <Field
      {...props}
      help={most === undefined ? undefined : words.amount.most(formats.money(most))}
      inputMode="decimal"
      isRequired
      validate={(text) => {
        const amount = parseAmount(text);
        if (text.trim() === "") return null;
        if (amount === undefined) return words.amount.unclear(formats.decimal(1.4));
        return most !== undefined && amount > most ? words.amount.tooMuch(formats.money(most)) : null;
      }}
    />
  );
}

/** The number that a text stands for; undefined if the text is not a clear amount. */
export function parseAmount(text: string): number | undefined {
  return /^\d+([.,]\d{1,2})?$/.test(text.trim()) ? Number(text.trim().replace(",", ".")) : undefined;
}
