/** A MARC record as lines of text, for reading, printing and comparing. */

import { type Items, isControl, type QuickMarcField } from "./record.ts";
import { DOLLAR } from "./subfields.ts";

export interface MarcLine {
  tag: string;
  indicators: string;
  text: string;
}

export function linesOf({ leader, fields }: { leader: string; fields: readonly QuickMarcField[] }): MarcLine[] {
  const head = { tag: "LDR", indicators: "", text: leader.replaceAll("\\", " ") };
  return [
    head,
    ...fields.map(({ tag, content, indicators = [] }) => ({
      tag,
      indicators: isControl(tag) ? "" : indicators.join("").replaceAll("\\", " "),
      text: typeof content === "string" ? content.replaceAll(DOLLAR, "$") : itemsText(content),
    })),
  ];
}

export const itemsText = (items: Items) =>
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

export function linesOfStored({ leader, fields }: MarcJson): MarcLine[] {
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

export const lineText = ({ tag, indicators, text }: MarcLine) => `${tag} ${indicators.padEnd(2)} ${text}`;

/** The lines of a record, each with whether the other record has it, too. A repeated line must be repeated there. */
export function compareLines(
  one: readonly MarcLine[],
  other: readonly MarcLine[],
): { line: MarcLine; isShared: boolean }[] {
  const there = new Map<string, number>();
  for (const line of other) there.set(lineText(line), (there.get(lineText(line)) ?? 0) + 1);
  return one.map((line) => {
    const count = there.get(lineText(line)) ?? 0;
    there.set(lineText(line), count - 1);
    return { line, isShared: count > 0 };
  });
}
