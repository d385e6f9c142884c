import { describe, expect, test } from "vitest";
import {
  columnWithNames,
  findCompletion,
  letterAt,
  type NamedRecord,
  unknownNames,
  withIds,
  withNames,
} from "../../src/rules/named.ts";

const BOOK = "1a54b431-2e4f-452d-9cae-9cee66c9a892";
const FACULTY = "503a81cd-6c26-400f-b620-14c08943697c";
const TERM = "43198de5-f56a-4a53-a0bd-5a324418967a";
const OTHER = "058327ca-5f61-5120-85d2-095e0a5eb877";
const TWICE = "efc4fa5a-2566-5e47-9e8d-bc447434f6e7";
const SHELF = "d9cd0bed-1b49-4b5e-a7bd-064b8d231239";

const THINGS: NamedRecord[] = [
  { id: BOOK, name: "book", letter: "m" },
  { id: FACULTY, name: "Faculty", letter: "g" },
  { id: TERM, name: 'The "long" term', letter: "l" },
  { id: OTHER, name: "Two of a name", letter: "l" },
  { id: TWICE, name: "Two of a name", letter: "l" },
  { id: SHELF, name: "book", letter: "s" },
];

const RULES = `priority: t, s, c, b, a, m, g
fallback-policy: l ${TERM} r ${BOOK}
# m ${BOOK} in a remark
m ${BOOK} + g !${FACULTY}: l ${TERM}
    s ${SHELF}: l ${OTHER}`;

describe("rules with names", () => {
  test("say what ids are called, and keep what is called like something else of its kind", () => {
    expect(withNames(RULES, THINGS).split("\n")).toEqual([
      "priority: t, s, c, b, a, m, g",
      'fallback-policy: l "The \\"long\\" term" r "book"',
      `# m ${BOOK} in a remark`,
      'm "book" + g !"Faculty": l "The \\"long\\" term"',
      `    s "book": l ${OTHER}`,
    ]);
  });

  test("are the same rules again, letter by letter of the kind", () => {
    const rules = RULES.replace(`r ${BOOK}`, "");
    expect(withIds(withNames(rules, THINGS), THINGS)).toBe(rules);
  });

  test("keep a name that nothing has, and say so", () => {
    const rules = 'm "buch": l "Two of a name"';
    expect(withIds(rules, THINGS)).toBe(rules);
    expect(unknownNames(rules, THINGS)).toEqual(["buch", "Two of a name"]);
    expect(unknownNames('# m "buch"', THINGS)).toEqual([]);
  });

  test("have other columns than with ids", () => {
    const line = `m ${BOOK} + g x`;
    expect(columnWithNames(line, line.indexOf("x") + 1, THINGS)).toBe('m "book" + g '.length + 1);
  });
});

describe("the letter of a place", () => {
  test.each([
    ["m ", "m"],
    ['m "a b" + g ', "g"],
    ['m "book": l ', "l"],
    ["fallback-policy: l ", "l"],
    ["    s !", "s"],
    ["priority", undefined],
  ])("after %j is %j", (line, letter) => {
    expect(letterAt(line, line.length)).toBe(letter);
  });
});

describe("names are proposed", () => {
  const names = (line: string) => findCompletion(line, THINGS)?.options.map(({ name }) => name);

  test("of the kind of the letter, by any word of them that is begun", () => {
    expect(names("m ")).toEqual(["book"]);
    expect(names("m bo")).toEqual(["book"]);
    expect(names('m "bo')).toEqual(["book"]);
    expect(names('m "book" + g fac')).toEqual(["Faculty"]);
    expect(names("m book: l of")).toEqual(["Two of a name", "Two of a name"]);
  });

  test("in place of what was typed of them", () => {
    expect(findCompletion("m bo", THINGS)?.start).toBe(2);
    expect(findCompletion('m "bo', THINGS)?.start).toBe(2);
  });

  test("neither while the letter is typed, nor in a remark, nor where none fits", () => {
    expect(names("m")).toBeUndefined();
    expect(names("# m bo")).toBeUndefined();
    expect(names("m zz")).toBeUndefined();
  });
});
