/** A record as lines of plain text: for reading, printing, and for comparing two of them. */

import { type Items, isControl, type QuickMarcField } from "./record.ts";
import { DOLLAR } from "./subfields.ts";

export interface Line {
  tag: string;
  indicators: string;
  text: string;
}

export function linesOf({ leader, fields }: { leader: string; fields: readonly QuickMarcField[] }): Line[] {
  const head = { tag: "LDR", indicators: "", text: leader.replaceAll("\\", " ") };
  return [
    head,
    ...fields.map(({ tag, content, indicators = [] }) => ({
      tag,
      indicators: isControl(tag) ? "" : indicators.join("").replaceAll("\\", " "),
      text: typeof content === "string" ? content.replaceAll(DOLLAR, "$") : itemsInWords(content),
    })),
  ];
}

export const itemsInWords = (items: Items) =>
  Object.entries(items)
    .map(([code, value]) => `${code}: ${typeof value === "string" ? value : value.join("")}`)
    .join(", ");

/** MARC-in-JSON, as mod-source-record-storage keeps it. */
export interface MarcJson {
  leader: string;
  fields: readonly Readonly<
    Record<string, string | { ind1: string; ind2: string; subfields: readonly Readonly<Record<string, string>>[] }>
  >[];
}

export function linesOfStored({ leader, fields }: MarcJson): Line[] {
  const head = { tag: "LDR", indicators: "", text: leader };
  const rest = fields.flatMap((field) =>
    Object.entries(field).map(([tag, content]) => {
      if (typeof content === "string") return { tag, indicators: "", text: content };
      const text = content.subfields.flatMap((subfield) =>
        Object.entries(subfield).map(([code, value]) => `$${code} ${value}`),
      );
      return { tag, indicators: `${content.ind1}${content.ind2}`, text: text.join(" ") };
    }),
  );
  return [head, ...rest];
}

export const inOneText = ({ tag, indicators, text }: Line) => `${tag} ${indicators.padEnd(2)} ${text}`;

/** Of two records, each line with whether the other has it too. A line that stands twice must stand twice there. */
export function compared(one: readonly Line[], other: readonly Line[]): { line: Line; isShared: boolean }[] {
  const there = new Map<string, number>();
  for (const line of other) there.set(inOneText(line), (there.get(inOneText(line)) ?? 0) + 1);
  return one.map((line) => {
    const count = there.get(inOneText(line)) ?? 0;
    there.set(inOneText(line), count - 1);
    return { line, isShared: count > 0 };
  });
}
