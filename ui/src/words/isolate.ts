/** Isolates names, titles and codes inside a sentence that is written in the other direction (right to left). */

const FIRST_STRONG_ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";

/**
 * Tag for template strings: inserted texts keep their own direction, so that a Latin title does not reorder an Arabic
 * sentence.
 */
export function t(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return parts.reduce((said, part, index) => `${said}${isolateText(values[index - 1])}${part}`);
}

function isolateText(value: string | number | undefined): string {
  return typeof value === "string" && value !== "" ? `${FIRST_STRONG_ISOLATE}${value}${POP_ISOLATE}` : `${value ?? ""}`;
}

/** Removes the direction marks, for text that is stored in a record or leaves the desk. */
export const withoutIsolates = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, "");
