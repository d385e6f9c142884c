/** The templates of item labels: their size and text. Kept in this browser, since they depend on its printer. */

import type { Item } from "../../api/inventory.ts";
import { store } from "../../shell/store.ts";

export interface Template {
  /** In millimetres. */
  width: number;
  height: number;
  /** The type size, in points. */
  size: number;
  /** Lines of text with tokens such as `{{callNumber}}`. */
  text: string;
  /** Several labels are printed on a sheet of paper; otherwise each label is a page, for label printers. */
  onSheet: boolean;
}

export const TOKENS = [
  "callNumberLines",
  "prefix",
  "callNumber",
  "suffix",
  "volume",
  "enumeration",
  "chronology",
  "copyNumber",
  "barcode",
  "title",
  "contributor",
  "location",
] as const;
export type Token = (typeof TOKENS)[number];

export const KINDS = ["spine", "label"] as const;
export type LabelKind = (typeof KINDS)[number];

type Templates = Record<LabelKind, Template>;

export const DEFAULT_TEMPLATES: Templates = {
  spine: {
    width: 25,
    height: 38,
    size: 11,
    text: "{{prefix}}\n{{callNumberLines}}\n{{suffix}}\n{{volume}}\n{{copyNumber}}",
    onSheet: false,
  },
  label: {
    width: 76,
    height: 38,
    size: 10,
    text: "{{location}}\n{{prefix}} {{callNumber}} {{suffix}}\n{{contributor}}\n{{title}}\n{{barcode}}",
    onSheet: false,
  },
};

export const templates = store<Templates & { kind: LabelKind }>(
  { ...DEFAULT_TEMPLATES, kind: "spine" },
  { name: "octavo.labels", in: () => localStorage },
);

export type LabelFacts = Record<Token, string>;

export function labelFacts(item: Item): LabelFacts {
  const parts = item.effectiveCallNumberComponents;
  const callNumber = parts?.callNumber ?? "";
  return {
    prefix: parts?.prefix ?? "",
    callNumber,
    callNumberLines: callNumber.trim().split(/\s+/).join("\n"),
    suffix: parts?.suffix ?? "",
    volume: item.volume ?? "",
    enumeration: item.enumeration ?? "",
    chronology: item.chronology ?? "",
    copyNumber: item.copyNumber ?? "",
    barcode: item.barcode ?? "",
    title: item.title ?? "",
    contributor: item.contributorNames?.[0]?.name ?? "",
    location: item.effectiveLocation?.name ?? "",
  };
}

/** The lines of a label. A line whose tokens are all empty is left out; an unknown token stays as it was typed. */
export function labelLines(text: string, facts: LabelFacts): string[] {
  return text.split("\n").flatMap((line) => {
    const filled = line.replace(/\{\{\s*(\w+)\s*\}\}/g, (written, name: string) =>
      Object.hasOwn(facts, name) ? facts[name as Token] : written,
    );
    const lines = filled.split("\n").map((one) => one.replace(/\s+/g, " ").trim());
    return line.includes("{{") ? lines.filter(Boolean) : lines;
  });
}

/** Limits a size to what a printer can print. Any number can be typed, but no label is larger than a page. */
export const clampSize = (value: number, least: number, most: number) =>
  Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : least;
