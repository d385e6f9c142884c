/** The text of a field, `$a First $b second`, and its subfields. A dollar sign in a value is written `{dollar}`, as in quickMARC. */

export interface Subfield {
  code: string;
  value: string;
}

const START = /(?=\$[a-z0-9])/;

export const DOLLAR = "{dollar}";

/** What stands before the first subfield belongs to none. */
export function split(text: string): { before: string; subfields: Subfield[] } {
  const parts = text.trim().split(START);
  const before = /^\$[a-z0-9]/.test(parts[0] ?? "") ? "" : (parts.shift() ?? "").trim();
  return { before, subfields: parts.map((part) => ({ code: part.slice(1, 2), value: part.slice(2).trim() })) };
}

export const joined = (subfields: readonly Subfield[]) =>
  subfields.map(({ code, value }) => `$${code} ${value}`.trim()).join(" ");

/** The text without subfields that have no value. */
export function filled(text: string): string {
  const { before, subfields } = split(text);
  return [before, joined(subfields.filter(({ value }) => value !== ""))].filter(Boolean).join(" ");
}

/** For people who do not think in subfields: the values alone, without those that name records. */
export const readable = (text: string) =>
  split(text)
    .subfields.filter(({ code }) => !/[0-9]/.test(code))
    .map(({ value }) => value.replaceAll(DOLLAR, "$"))
    .join(" ");
