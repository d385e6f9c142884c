import { describe, expect, test } from "vitest";
import { and, containsWord, equals, isAnyOf, or, quote, sortBy, startsWith } from "../../src/api/cql.ts";
import { nameQuery } from "../../src/api/patrons.ts";

/** Reads a quoted term as FOLIO does: its characters, and the signs in it that are masks. */
function read(term: string): { text: string; masks: string } {
  expect(term).toMatch(/^"([^"\\]|\\.)*"$/s);
  const parts = [...term.slice(1, -1).matchAll(/\\(.)|(.)/gs)];
  return {
    text: parts.map(([, escaped, plain]) => escaped ?? plain).join(""),
    masks: parts.flatMap(([, , plain]) => (plain && "*?^".includes(plain) ? plain : [])).join(""),
  };
}

const TYPED = [
  "Ann",
  "O'Hara",
  'Ann "Nan" Lee',
  "C:\\temp\\",
  "\\",
  '"',
  '\\"',
  "*",
  "what?",
  "^begin",
  'x" or cql.allRecords=1 or "',
  "a) or (b",
  "two\nlines",
  "Müller, Łukasz",
  "李",
  "",
];

describe("what a person typed stays text", () => {
  test.each(TYPED)("%j in quotes", (typed) => {
    expect(read(quote(typed))).toEqual({ text: typed, masks: "" });
  });

  test.each(TYPED)("%j as the beginning of a word has one mask, at its end", (typed) => {
    const term = startsWith("name", typed).slice("name==".length);
    expect(read(term)).toEqual({ text: `${typed}*`, masks: "*" });
  });
});

test("parts are joined so that an `and` outside does not reach into an `or`", () => {
  expect(and(equals("active", "true"), or(equals("barcode", "1"), equals("username", "ann")))).toBe(
    'active=="true" and (barcode=="1" or username=="ann")',
  );
  expect(and(isAnyOf("itemId", ["1", '2"']), containsWord("status", "Open"))).toBe(
    'itemId==("1" or "2\\"") and status="Open"',
  );
  expect(sortBy(or(equals("a", "1")), "dueDate/sort.descending")).toBe('(a=="1") sortBy dueDate/sort.descending');
});

test("of a name every word begins one of the names, in any order and with a comma", () => {
  const word = (text: string) =>
    `(personal.lastName=="${text}*" or personal.firstName=="${text}*" or personal.preferredFirstName=="${text}*")`;
  expect(nameQuery("lovelace, ada")).toBe(`${word("lovelace")} and ${word("ada")}`);
  expect(nameQuery("  ada ")).toBe(word("ada"));
  expect(nameQuery("a*")).toBe(word("a\\*"));
});
