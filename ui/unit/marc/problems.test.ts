import { describe, expect, test } from "vitest";
import { Refused } from "../../src/api/http.ts";
import { partsOfField } from "../../src/marc/fixed.ts";
import { addRow, changeRow, removeRow } from "../../src/marc/moves.ts";
import { findProblems, hasErrors, isIsbn, refusalsAtRows, refusalsOf } from "../../src/marc/problems.ts";
import { type Draft, draftOf, type Format, type Items } from "../../src/marc/record.ts";
import { BOOK, SPECIFICATION } from "./records.ts";

const DRAFT = draftOf(BOOK);
const keyOf = (tag: string, { rows } = DRAFT) => rows.find((row) => row.tag === tag)?.key ?? -1;
const found = (draft: Draft) =>
  findProblems(draft, ({ tag, items = {} }) => partsOfField(tag, items, draft.leader, SPECIFICATION));
const names = (draft: Draft) => found(draft).map(({ name, of }) => (of === undefined ? name : `${name} ${of}`));
const withText = (text: string) => changeRow(DRAFT, keyOf("245"), { text });
const withItems = (part: Items) =>
  changeRow(DRAFT, keyOf("008"), { items: { ...(BOOK.fields[2]?.content as Items), ...part } });
const withRow = (tag: string, text: string) => addRow(DRAFT, keyOf("245"), { tag, text }).draft;

test("a good record has none", () => {
  expect(found(DRAFT)).toEqual([]);
});

describe("each of these is found", () => {
  test.each([
    ["text before subfields", withText("Title $a x"), ["beforeSubfields Title"]],
    ["no subfield", withText("Title"), ["beforeSubfields Title"]],
    ["no text", withText("$a "), ["noText"]],
    ["a stray dollar sign", withText("$a 5 $ note"), ["subfieldCode a"]],
    ["an empty subfield", withText("$a One $b $c"), ["emptySubfield $b $c"]],
    ["a short tag", changeRow(DRAFT, keyOf("100"), { tag: "10" }), ["tag"]],
    ["a tag with a letter", changeRow(DRAFT, keyOf("100"), { tag: "1X0" }), ["tag"]],
    ["an indicator", changeRow(DRAFT, keyOf("100"), { ind1: "A" }), ["indicator"]],
    ["no title", removeRow(DRAFT, keyOf("245")).draft, ["needed 245"]],
    ["no 008", removeRow(DRAFT, keyOf("008")).draft, ["needed 008"]],
    ["two titles", withRow("245", "$a Another"), ["repeated 245"]],
    ["two 001", withRow("001", "in2"), ["repeated 001"]],
    ["two main entries", withRow("110", "$a A body"), ["repeatedHeading"]],
    ["a short leader", { ...DRAFT, leader: "01542nam" }, ["leaderLength"]],
    ["a type of record", { ...DRAFT, leader: "01542nxm\\a2200361\\a\\4500" }, ["leaderValue Type of record"]],
    ["a code", withItems({ DtSt: "x" }), ["fixedValue Name of DtSt"]],
    ["a character of a list", withItems({ Ills: ["a", "z", "\\", "\\"] }), ["fixedValue Name of Ills"]],
    ["a length", withItems({ Lang: "en" }), ["fixedLength Name of Lang"]],
    ["a year", withItems({ Date1: "19x8" }), ["year Name of Date1"]],
    ["an ISBN", withRow("020", "$a 9780306406158"), ["isbn 9780306406158"]],
  ] as [string, Draft, string[]][])("%s", (_, draft, expected) => {
    expect(names(draft)).toEqual(expected);
  });

  test.each([
    ["a year that is partly known", withItems({ Date1: "19uu" })],
    ["a blank year", withItems({ Date1: "\\\\\\\\" })],
    ["no attempt to code", withItems({ DtSt: "|" })],
    ["a price", withText("$a 5 {dollar} $c note")],
    ["a row that was only begun", addRow(DRAFT, keyOf("245")).draft],
    ["an ISBN with a remark", withRow("020", "$a 0-306-40615-2 (pbk.)")],
  ] as [string, Draft][])("not: %s", (_, draft) => {
    expect(found(draft)).toEqual([]);
  });
});

test("warnings do not bar saving, errors do", () => {
  expect(hasErrors(found(withText("$a One $b")))).toBe(false);
  expect(hasErrors(found(withItems({ DtSt: "x" })))).toBe(false);
  expect(hasErrors(found(withRow("110", "$a A body")))).toBe(false);
  expect(hasErrors(found(withText("Title")))).toBe(true);
  expect(hasErrors(found({ ...DRAFT, leader: "" }))).toBe(true);
});

test("holdings and authorities have needs of their own", () => {
  const needed = (format: Format) =>
    found({ ...DRAFT, format, rows: [] })
      .filter(({ name }) => name === "needed")
      .map(({ of }) => of);
  expect(needed("HOLDINGS")).toEqual(["004", "008", "852"]);
  expect(needed("AUTHORITY")).toEqual(["008", "1XX"]);
});

test.each([
  ["0306406152", true],
  ["080442957X", true],
  ["9780306406157", true],
  ["9780306406158", false],
  ["12345", false],
])("ISBN %s", (number, isRight) => {
  expect(isIsbn(number)).toBe(isRight);
});

test("what the server refuses stands at the field that it names, or at none", () => {
  const refuse = (message: string, key?: string) => ({ message, ...(key && { parameters: [{ key }] }) });
  const at = refusalsAtRows(
    [refuse("Is unique tag", "245"), refuse("Is required tag", "1XX"), refuse("Field 008 is wrong"), refuse("No")],
    DRAFT.rows,
  );
  expect(at.map(({ row }) => row)).toEqual([keyOf("245"), keyOf("100"), keyOf("008"), undefined]);
});

test("a single refusal names its tag in the answer itself", () => {
  const parameters = [{ key: "245" }];
  const one = new Refused(422, [{ message: "Is unique tag" }], { message: "Is unique tag", parameters });
  expect(refusalsOf(one)).toEqual([{ message: "Is unique tag", parameters }]);
  const several = new Refused(422, [{ message: "Is required tag", parameters }]);
  expect(refusalsOf(several)).toEqual(several.refusals);
});
