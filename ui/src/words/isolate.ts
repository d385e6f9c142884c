/** Names, titles and codes inside a sentence of a language that is written the other way. */

const FIRST_STRONG_ISOLATE = "\u2068";
const POP_ISOLATE = "\u2069";

/** A template whose texts keep their own direction, so that a Latin title in an Arabic sentence moves nothing around it. */
export function t(parts: TemplateStringsArray, ...values: (string | number)[]): string {
  return parts.reduce((said, part, index) => `${said}${isolated(values[index - 1])}${part}`);
}

function isolated(value: string | number | undefined): string {
  return typeof value === "string" && value !== "" ? `${FIRST_STRONG_ISOLATE}${value}${POP_ISOLATE}` : `${value ?? ""}`;
}

/** Without the marks: for what is written into a record or leaves the desk. */
export const withoutIsolates = (text: string) => text.replaceAll(/[\u2066-\u2069]/g, "");
