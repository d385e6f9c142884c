/**
 * The rules as people read and write them: with names in quotes in place of ids. The text that is stored keeps the ids, so that a
 * policy can be given another name. Only a name that nothing else of its kind has stands for an id; where two are called the same,
 * their ids stay. The server knows no quotes, so that nothing is taken for a name that is none.
 */

export interface Thing {
  id: string;
  name: string;
  /** After which it stands: `g` for a patron group, `l` for a loan policy. */
  letter: string;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** Remarks stay as they are. */
const REMARK = /^\s*[#/]/;
const NAME = /"((?:[^"\\]|\\.)*)"/g;

const quoted = (name: string) => `"${name.replace(/["\\]/g, "\\$&")}"`;
const plain = (text: string) => text.replace(/\\(.)/g, "$1");

/** The letter of the criterion or policy in which a place of a line stands: the last word of one letter before it. */
export function letterAt(line: string, place: number): string | undefined {
  const before = line.slice(0, place).replace(NAME, (name) => " ".repeat(name.length));
  return [...before.matchAll(/(?:^|[\s:+])([a-z])(?=\s)/gi)].at(-1)?.[1]?.toLowerCase();
}

export function withNames(rules: string, things: readonly Thing[]): string {
  const known = new Map(things.map((thing) => [thing.id, thing]));
  return byLine(rules, (line) =>
    line.replace(UUID, (id) => {
      const thing = known.get(id.toLowerCase());
      return thing && isUnique(thing, things) ? quoted(thing.name) : id;
    }),
  );
}

/** A name that nothing has stays, in its quotes: the server says in which line and column it does not know it. */
export function withIds(rules: string, things: readonly Thing[]): string {
  return byLine(rules, (line) =>
    line.replace(NAME, (said, text: string, place: number) => {
      const letter = letterAt(line, place);
      const name = plain(text);
      const meant = things.filter((thing) => thing.name === name && (letter === undefined || thing.letter === letter));
      return meant.length === 1 && meant[0] ? meant[0].id : said;
    }),
  );
}

/** The names in a text that stand for nothing, or for several things. */
export function unknownNames(rules: string, things: readonly Thing[]): string[] {
  const left = withIds(rules, things)
    .split("\n")
    .filter((line) => !REMARK.test(line))
    .flatMap((line) => [...line.matchAll(NAME)].map((match) => plain(match[1] ?? "")));
  return [...new Set(left)];
}

const isUnique = (thing: Thing, things: readonly Thing[]) =>
  !things.some((other) => other.id !== thing.id && other.name === thing.name && other.letter === thing.letter);

const byLine = (rules: string, change: (line: string) => string) =>
  rules
    .split("\n")
    .map((line) => (REMARK.test(line) ? line : change(line)))
    .join("\n");

export interface Completion {
  /** What is typed so far of it begins there. */
  from: number;
  options: Thing[];
}

const MOST = 8;

/** What may stand at the end of this text, which is a line up to the cursor. */
export function completionOf(line: string, things: readonly Thing[]): Completion | undefined {
  if (REMARK.test(line)) return undefined;
  const from = begunAt(line);
  const letter = from === undefined ? undefined : letterAt(line, from);
  if (from === undefined || letter === undefined) return undefined;
  const typed = plain(line.slice(from).replace(/^"/, "")).toLocaleLowerCase();
  const options = things.filter(
    (thing) =>
      thing.letter === letter &&
      thing.name
        .toLocaleLowerCase()
        .split(/\s+/)
        .some((_, at, words) => words.slice(at).join(" ").startsWith(typed)),
  );
  return options.length === 0 ? undefined : { from, options: options.slice(0, MOST) };
}

/** Where the word, or the name in quotes, begins that the line ends in the middle of. */
function begunAt(line: string): number | undefined {
  const quotes = [...line.matchAll(/(?<!\\)"/g)].map(({ index }) => index);
  if (quotes.length % 2 === 1) return quotes.at(-1);
  const begun = /(?:^|[\s:+!,])([\p{L}][\p{L}\p{N}-]*)?$/u.exec(line);
  if (begun === null) return undefined;
  const from = line.length - (begun[1]?.length ?? 0);
  // A letter by itself is one of the language, unless it stands behind one: then a name begins with it.
  if (begun[1]?.length === 1 && !/(?:^|[\s:+])[a-z]\s+!?$/i.test(line.slice(0, from))) return undefined;
  return from;
}

/** As it is put in: the id, where something else of its kind has the same name. */
export const written = (thing: Thing, things: readonly Thing[]) =>
  isUnique(thing, things) ? quoted(thing.name) : thing.id;

/** Where a column of a line with ids stands in the same line with names. */
export const columnWithNames = (line: string, column: number, things: readonly Thing[]) =>
  withNames(line.slice(0, column - 1), things).length + 1;
