/**
 * Splits the text of a field, such as `$a First $b second`, into subfields, and joins them. A dollar sign in a value is
 * written `{dollar}`, as in quickMARC.
 */

export interface Subfield {
  code: string;
  value: string;
}

const SUBFIELD_START = /(?=\$[a-z0-9])/;

export const DOLLAR = "{dollar}";

/** Splits a text into subfields; `before` is the text before the first of them. */
export function splitSubfields(text: string): { before: string; subfields: Subfield[] } {
  const parts = text.trim().split(SUBFIELD_START);
  const before = /^\$[a-z0-9]/.test(parts[0] ?? "") ? "" : (parts.shift() ?? "").trim();
  return { before, subfields: parts.map((part) => ({ code: part.slice(1, 2), value: part.slice(2).trim() })) };
}

export const joinSubfields = (subfields: readonly Subfield[]) =>
  subfields.map(({ code, value }) => `$${code} ${value}`.trim()).join(" ");

/** The text without subfields that have no value. */
export function withoutEmptySubfields(text: string): string {
  const { before, subfields } = splitSubfields(text);
  return [before, joinSubfields(subfields.filter(({ value }) => value !== ""))].filter(Boolean).join(" ");
}

/** The text for readers: the values of subfields, without `$0` to `$9`. */
export const readableText = (text: string) =>
  splitSubfields(text)
    .subfields.filter(({ code }) => !/[0-9]/.test(code))
    .map(({ value }) => value.replaceAll(DOLLAR, "$"))
    .join(" ");
