/**
 * Converts the rules between the stored text, with ids, and the text in the editor, with names in quotation marks. Ids
 * are stored, so that a policy can be renamed. A name stands for an id only if no other record of its kind has that
 * name; otherwise the id is shown. The server does not know quotation marks: it refuses a name that was not replaced.
 */

export interface NamedRecord {
  id: string;
  name: string;
  /** The letter before it in the rules: `g` for a patron group, `l` for a loan policy. */
  letter: string;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** Comment lines of the rules, which are not converted. */
const REMARK = /^\s*[#/]/;
const QUOTED_NAME = /"((?:[^"\\]|\\.)*)"/g;

const quoteName = (name: string) => `"${name.replace(/["\\]/g, "\\$&")}"`;
const unescapeName = (text: string) => text.replace(/\\(.)/g, "$1");

/** The letter of the criterion or policy to which a position of a line belongs: the last single letter before it. */
export function letterAt(line: string, place: number): string | undefined {
  const before = line.slice(0, place).replace(QUOTED_NAME, (name) => " ".repeat(name.length));
  return [...before.matchAll(/(?:^|[\s:+])([a-z])(?=\s)/gi)].at(-1)?.[1]?.toLowerCase();
}

export function withNames(rules: string, things: readonly NamedRecord[]): string {
  const known = new Map(things.map((thing) => [thing.id, thing]));
  return mapLines(rules, (line) =>
    line.replace(UUID, (id) => {
      const thing = known.get(id.toLowerCase());
      return thing && isUnique(thing, things) ? quoteName(thing.name) : id;
    }),
  );
}

/** A name that no record has stays in quotation marks: the server then reports the line and column of it. */
export function withIds(rules: string, things: readonly NamedRecord[]): string {
  return mapLines(rules, (line) =>
    line.replace(QUOTED_NAME, (said, text: string, place: number) => {
      const letter = letterAt(line, place);
      const name = unescapeName(text);
      const meant = things.filter((thing) => thing.name === name && (letter === undefined || thing.letter === letter));
      return meant.length === 1 && meant[0] ? meant[0].id : said;
    }),
  );
}

/** Names in the rules that no record has, or that several records of a kind have. */
export function unknownNames(rules: string, things: readonly NamedRecord[]): string[] {
  const left = withIds(rules, things)
    .split("\n")
    .filter((line) => !REMARK.test(line))
    .flatMap((line) => [...line.matchAll(QUOTED_NAME)].map((match) => unescapeName(match[1] ?? "")));
  return [...new Set(left)];
}

const isUnique = (thing: NamedRecord, things: readonly NamedRecord[]) =>
  !things.some((other) => other.id !== thing.id && other.name === thing.name && other.letter === thing.letter);

const mapLines = (rules: string, change: (line: string) => string) =>
  rules
    .split("\n")
    .map((line) => (REMARK.test(line) ? line : change(line)))
    .join("\n");

export interface Completion {
  /** Position in the line at which the typed part of the name begins. */
  start: number;
  options: NamedRecord[];
}

const MAX_OPTIONS = 8;

/** The names that fit at the end of this text, which is a line up to the cursor. */
export function findCompletion(line: string, things: readonly NamedRecord[]): Completion | undefined {
  if (REMARK.test(line)) return undefined;
  const from = wordStart(line);
  const letter = from === undefined ? undefined : letterAt(line, from);
  if (from === undefined || letter === undefined) return undefined;
  const typed = unescapeName(line.slice(from).replace(/^"/, "")).toLocaleLowerCase();
  const options = things.filter(
    (thing) =>
      thing.letter === letter &&
      thing.name
        .toLocaleLowerCase()
        .split(/\s+/)
        .some((_, at, words) => words.slice(at).join(" ").startsWith(typed)),
  );
  return options.length === 0 ? undefined : { start: from, options: options.slice(0, MAX_OPTIONS) };
}

/** Position at which the unfinished word or quoted name at the end of the line begins. */
function wordStart(line: string): number | undefined {
  const quotes = [...line.matchAll(/(?<!\\)"/g)].map(({ index }) => index);
  if (quotes.length % 2 === 1) return quotes.at(-1);
  const begun = /(?:^|[\s:+!,])([\p{L}][\p{L}\p{N}-]*)?$/u.exec(line);
  if (begun === null) return undefined;
  const from = line.length - (begun[1]?.length ?? 0);
  // A single letter is a keyword, unless it follows a keyword: then it begins a name.
  if (begun[1]?.length === 1 && !/(?:^|[\s:+])[a-z]\s+!?$/i.test(line.slice(0, from))) return undefined;
  return from;
}

/** The text that completion inserts: the name in quotation marks, or the id if the name is not unique. */
export const nameOrId = (thing: NamedRecord, things: readonly NamedRecord[]) =>
  isUnique(thing, things) ? quoteName(thing.name) : thing.id;

/** Converts the column of a position from the line with ids to the line with names. */
export const columnWithNames = (line: string, column: number, things: readonly NamedRecord[]) =>
  withNames(line.slice(0, column - 1), things).length + 1;
