import { describe, expect, test } from "vitest";
import { lineInWords, splitTokens } from "../../src/rules/language.ts";
import { de } from "../../src/words/de.ts";
import { en } from "../../src/words/en.ts";

const BOOK = "1a54b431-2e4f-452d-9cae-9cee66c9a892";
const FACULTY = "503a81cd-6c26-400f-b620-14c08943697c";
const TERM = "43198de5-f56a-4a53-a0bd-5a324418967a";
const NAMES = new Map([
  [BOOK, "book"],
  [FACULTY, "Faculty"],
  [TERM, "End of term"],
]);

const LINES = [
  "priority: t, s, c, b, a, m, g",
  "fallback-policy: l d9cd0bed-1b49-4b5e-a7bd-064b8d231231 r d9cd0bed-1b49-4b5e-a7bd-064b8d231232",
  `m ${BOOK} + g ${FACULTY}: l ${TERM}`,
  `    g !${FACULTY} : l ${TERM} # not for them`,
  "# all of it: m a + b",
  "/ also a remark",
  "g all",
  "",
  "   ",
  "m\tx",
  "Ünïcode 📖 + : , !",
];

describe("colours", () => {
  test.each(LINES)("lose nothing of %j", (line) => {
    expect(
      splitTokens(line)
        .map(([, text]) => text)
        .join(""),
    ).toBe(line);
  });

  test("tell keys, ids, signs and remarks apart", () => {
    const kinds = splitTokens(`m ${BOOK} + g !${FACULTY}: l ${TERM} # m x`).filter(([kind]) => kind !== "plain");
    expect(kinds).toEqual([
      ["key", "m"],
      ["id", BOOK],
      ["sign", "+"],
      ["key", "g"],
      ["sign", "!"],
      ["id", FACULTY],
      ["sign", ":"],
      ["key", "l"],
      ["id", TERM],
      ["remark", "# m x"],
    ]);
  });

  test("take no letter of a word for a key", () => {
    expect(splitTokens("g all").map(([kind]) => kind)).toEqual(["key", "plain"]);
    expect(splitTokens("fallback-policy: x")[0]).toEqual(["key", "fallback-policy"]);
  });
});

describe("a line in words", () => {
  test.each([
    [`m ${BOOK} + g ${FACULTY}: l ${TERM}`, "material type “book” and patron group “Faculty”: loans “End of term”"],
    [`    m ${BOOK} : l ${TERM} # since May`, "material type “book” : loans “End of term”"],
    [`M ${BOOK}: L ${TERM}`, "material type “book”: loans “End of term”"],
    [`fallback-policy: l ${TERM}`, "Otherwise: loans “End of term”"],
    [`g !${FACULTY}: l ${TERM}`, "patron group !“Faculty”: loans “End of term”"],
  ])("%j", (line, words) => {
    expect(lineInWords(line, NAMES, en)).toBe(words);
  });

  test("shows an id that has no name, or whose name has not come yet, as it is", () => {
    expect(lineInWords(`m ${BOOK}`, new Map(), en)).toBe(`material type “${BOOK}”`);
  });

  test.each(["# m x", "  / m x", "priority: t, s", "", "   "])("has nothing to say of %j", (line) => {
    expect(lineInWords(line, NAMES, en)).toBe("");
  });

  test("knows every letter of the rules in every language", () => {
    for (const words of [en, de]) {
      const letters = Object.entries(words.rules.letters);
      for (const [letter, word] of letters)
        expect(lineInWords(`${letter} ${BOOK}`, NAMES, words)).toBe(`${word} “book”`);
      expect(letters.map(([letter]) => letter).sort()).toEqual([..."abcgilmnorst"]);
    }
  });
});
