import { describe, expect, test } from "vitest";
import { compareLines, linesOf, linesOfStored } from "../../src/marc/lines.ts";
import {
  applySuggestions,
  divideLinkedText,
  joinLinkedText,
  type LinkingRule,
  linkRow,
  ruleFor,
  searchWords,
  unlinkRow,
} from "../../src/marc/linking.ts";
import { draftOf, fieldsFromRows, type QuickMarcField } from "../../src/marc/record.ts";
import { BOOK } from "./records.ts";

const NAME: LinkingRule = {
  id: 1,
  bibField: "100",
  authorityField: "100",
  authoritySubfields: ["a", "b", "c", "d", "j", "q"],
  validation: { existence: [{ t: false }] },
};
const TITLE_OF_NAME: LinkingRule = {
  id: 5,
  bibField: "240",
  authorityField: "100",
  authoritySubfields: ["f", "l", "t"],
  subfieldModifications: [{ source: "t", target: "a" }],
  validation: { existence: [{ t: true }] },
};
const RULES = [NAME, TITLE_OF_NAME];

const heading = (content: string): QuickMarcField => ({ tag: "100", content, indicators: ["1", "\\"] });
const TWAIN = heading("$a Clemens, Samuel, $d 1835-1910");
const PUDDNHEAD = heading("$a Twain, Mark, $d 1835-1910. $t Pudd'nhead Wilson. $l German");
const AUTHORITY = { id: "0000-a", naturalId: "n79021164", baseUrl: "http://id.loc.gov/authorities/names/" };

const ROW = { key: 3, tag: "100", ind1: "1", ind2: "\\", text: "$a Twain, Mark, $d 1835- $e author. $4 aut $0 old" };

describe("a link", () => {
  test("needs a rule whose kind of heading fits", () => {
    expect(ruleFor("100", TWAIN, RULES)).toBe(NAME);
    expect(ruleFor("100", PUDDNHEAD, RULES)).toBeUndefined();
    expect(ruleFor("240", PUDDNHEAD, RULES)).toBe(TITLE_OF_NAME);
    expect(ruleFor("240", TWAIN, RULES)).toBeUndefined();
    expect(ruleFor("650", TWAIN, RULES)).toBeUndefined();
  });

  test("brings the heading of the authority; what it does not govern stays", () => {
    const row = linkRow(ROW, TWAIN, AUTHORITY, NAME);
    expect(row.text).toBe(
      "$a Clemens, Samuel, $d 1835-1910 $e author. $4 aut $0 http://id.loc.gov/authorities/names/n79021164 $9 0000-a",
    );
    expect(row.link).toEqual({
      authorityId: "0000-a",
      authorityNaturalId: "n79021164",
      linkingRuleId: 1,
      status: "NEW",
    });
  });

  test("makes a uniform title of the title of a name", () => {
    const row = { ...ROW, tag: "240", text: "$a Old title. $h [sound]" };
    expect(linkRow(row, PUDDNHEAD, { id: "x", naturalId: "n1" }, TITLE_OF_NAME).text).toBe(
      "$a Pudd'nhead Wilson. $l German $h [sound] $0 n1 $9 x",
    );
  });

  test("is undone without losing the text", () => {
    const row = unlinkRow(linkRow(ROW, TWAIN, AUTHORITY, NAME));
    expect(row.link).toBeUndefined();
    expect(row.text).toBe(
      "$a Clemens, Samuel, $d 1835-1910 $e author. $4 aut $0 http://id.loc.gov/authorities/names/n79021164",
    );
  });

  test("divides the text, which is put together again with what was written", () => {
    const parts = divideLinkedText(linkRow(ROW, TWAIN, { id: "x", naturalId: "n1" }, NAME), NAME);
    expect(parts).toEqual({
      governed: "$a Clemens, Samuel, $d 1835-1910",
      own: "$e author. $4 aut",
      ids: "$0 n1 $9 x",
    });
    expect(joinLinkedText({ ...parts, own: "" })).toBe("$a Clemens, Samuel, $d 1835-1910 $0 n1 $9 x");
    expect(divideLinkedText(ROW, undefined).own).toBe("");
  });

  test("is looked for by the words of the heading", () => {
    expect(searchWords(ROW)).toBe("Twain, Mark 1835-");
    expect(searchWords({ ...ROW, text: "$a Whales $x Behavior $v Fiction. $0 sh1" })).toBe("Whales");
  });
});

describe("suggested links", () => {
  const { rows } = draftOf(BOOK);
  const answer = (details: QuickMarcField["linkDetails"], content: string) =>
    fieldsFromRows(rows).map((field) =>
      field.tag === "100" ? { ...field, content, ...(details && { linkDetails: details }) } : field,
    );
  const details = { authorityId: "a1", authorityNaturalId: "n79021164", linkingRuleId: 1, status: "NEW" };

  test("are taken over with what the heading reads then", () => {
    const result = applySuggestions(rows, answer(details, "$a Clemens $9 a1"));
    expect(result).toMatchObject({ linkedCount: 1, failed: [] });
    expect(result.rows[3]).toMatchObject({ key: 3, text: "$a Clemens $9 a1", link: details });
    expect(result.rows[4]).toBe(rows[4]);
  });

  test("that failed say why, and change nothing", () => {
    const failed = { ...details, authorityId: "", status: "ERROR", errorCause: "101" };
    const result = applySuggestions(rows, answer(failed, "$a Twain"));
    expect(result).toEqual({ rows: [...rows], linkedCount: 0, failed: [{ row: 3, cause: "101" }] });
  });

  test("leave a link alone that is there", () => {
    const linkedRows = rows.map((row) => (row.tag === "100" ? { ...row, link: details } : row));
    expect(applySuggestions(linkedRows, answer({ ...details, authorityId: "other" }, "$a Other")).linkedCount).toBe(0);
  });
});

describe("plain lines", () => {
  test("of both forms of a record are alike", () => {
    const stored = linesOfStored({
      leader: "01542nam a2200361 a 4500",
      fields: [{ "001": "in1" }, { "245": { ind1: "1", ind2: " ", subfields: [{ a: "Costs $5" }, { c: "Twain" }] } }],
    });
    const quick = linesOf({
      leader: "01542nam\\a2200361\\a\\4500",
      fields: [
        { tag: "001", content: "in1", indicators: [] },
        { tag: "245", content: "$a Costs {dollar}5 $c Twain", indicators: ["1", "\\"] },
      ],
    });
    expect(stored).toEqual(quick);
    expect(stored.at(-1)).toEqual({ tag: "245", indicators: "1 ", text: "$a Costs $5 $c Twain" });
  });

  test("tell which of them the other has, as often as it has them", () => {
    const line = (text: string) => ({ tag: "500", indicators: "  ", text });
    const marks = compareLines([line("a"), line("a"), line("b")], [line("b"), line("a")]);
    expect(marks.map(({ isShared }) => isShared)).toEqual([true, false, true]);
  });
});
