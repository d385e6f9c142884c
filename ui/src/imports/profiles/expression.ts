/** Checks the expressions of mapping profiles, which take values from the incoming record. Pure. */

export type ExpressionMistake = { is: "quote" } | { is: "word"; word: string } | { is: "else" };

const ELSE = "; else ";
/** A wrong form of `; else `, such as `;else`. */
const BAD_ELSE = /^[^"]*;$|^[^"]*(?:^|;)else$/i;
const TAG = /^\d{3}$/;
const FIELD = /^\d{3}\$[a-z0-9]$/i;
const POSITIONS = /^(?:LDR|\d{3})\/[1-9]\d*(?:-[1-9]\d*)?$/;
const KEYWORDS = /^###(?:TODAY|REMOVE)###$/i;

/** The first mistake in an expression; undefined if it is valid. */
export function findMistake(expression: string): ExpressionMistake | undefined {
  for (const alternative of expression.split(ELSE)) {
    const words = splitWords(alternative);
    if (words === undefined) return { is: "quote" };
    if (words.some((word) => BAD_ELSE.test(word))) return { is: "else" };
    const wrong = words.find((word) => !isValidWord(word));
    if (wrong !== undefined) return { is: "word", word: wrong };
  }
  return undefined;
}

const isValidWord = (word: string) =>
  (word.startsWith('"') && word.endsWith('"') && word.length > 1) ||
  [TAG, FIELD, POSITIONS, KEYWORDS].some((known) => known.test(word));

/**
 * Splits an expression into words; a text in quotation marks is one word. undefined if a quotation mark is not closed.
 */
function splitWords(text: string): string[] | undefined {
  if (text.split('"').length % 2 === 0) return undefined;
  return text.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
}

/** The texts in quotation marks; where a field takes values from a list, these are names of values. */
export const quotedTexts = (expression: string) =>
  [...expression.matchAll(/"([^"]*)"/g)].map(([, name = ""]) => name).filter((name) => name.trim() !== "");

/** The first name that is not among the values. The code in brackets behind a name counts, too. */
export function unknownName(expression: string, values: readonly string[]): string | undefined {
  const known = new Set(
    values.flatMap((value) => {
      const code = /\(([^()]*)\)$/.exec(value)?.[1];
      const name = value.replace(/\s*\([^()]*\)$/, "");
      return [value, name, ...(code === undefined ? [] : [code])].map((one) => one.toLowerCase());
    }),
  );
  return quotedTexts(expression).find((name) => !known.has(name.trim().toLowerCase()));
}
