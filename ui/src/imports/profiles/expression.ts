/** The expressions by which mapping profiles take values from a record: what is wrong with one, and what it names. Pure. */

export type Mistake = { is: "quote" } | { is: "word"; word: string } | { is: "else" };

const ELSE = "; else ";
/** An attempt at it. */
const OTHERWISE = /^[^"]*;$|^[^"]*(?:^|;)else$/i;
const TAG = /^\d{3}$/;
const FIELD = /^\d{3}\$[a-z0-9]$/i;
const POSITIONS = /^(?:LDR|\d{3})\/[1-9]\d*(?:-[1-9]\d*)?$/;
const MARKS = /^###(?:TODAY|REMOVE)###$/i;

/** `undefined` if the server understands it. */
export function mistakeIn(expression: string): Mistake | undefined {
  for (const alternative of expression.split(ELSE)) {
    const words = wordsOf(alternative);
    if (words === undefined) return { is: "quote" };
    if (words.some((word) => OTHERWISE.test(word))) return { is: "else" };
    const wrong = words.find((word) => !isKnown(word));
    if (wrong !== undefined) return { is: "word", word: wrong };
  }
  return undefined;
}

const isKnown = (word: string) =>
  (word.startsWith('"') && word.endsWith('"') && word.length > 1) ||
  [TAG, FIELD, POSITIONS, MARKS].some((known) => known.test(word));

/** A text in quotation marks is one word, whatever stands in it. */
function wordsOf(text: string): string[] | undefined {
  if (text.split('"').length % 2 === 0) return undefined;
  return text.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
}

/** The texts in quotation marks: names of values, where a field takes values of a list. */
export const namesIn = (expression: string) =>
  [...expression.matchAll(/"([^"]*)"/g)].map(([, name = ""]) => name).filter((name) => name.trim() !== "");

/** The first name that is none of these values. A code that stands in brackets behind a name will do, too. */
export function unknownName(expression: string, values: readonly string[]): string | undefined {
  const known = new Set(
    values.flatMap((value) => {
      const code = /\(([^()]*)\)$/.exec(value)?.[1];
      const name = value.replace(/\s*\([^()]*\)$/, "");
      return [value, name, ...(code === undefined ? [] : [code])].map((one) => one.toLowerCase());
    }),
  );
  return namesIn(expression).find((name) => !known.has(name.trim().toLowerCase()));
}
