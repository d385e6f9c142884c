import { describe, expect, test } from "vitest";
import {
  fitItems,
  initialItems,
  partsOfField,
  withCategory,
  withLeader,
  withPosition,
  withType,
} from "../../src/marc/fixed.ts";
import { CATEGORIES_007, LEADER_POSITIONS, parseCodeList, TYPES_006 } from "../../src/marc/fixed-tables.ts";
import { draftOf, type Items } from "../../src/marc/record.ts";
import { BOOK, SPECIFICATION } from "./records.ts";

const ITEMS = BOOK.fields[2]?.content as Items;
const codes = (tag: string, items: Items, leader = BOOK.leader) =>
  partsOfField(tag, items, leader, SPECIFICATION).map(({ code }) => code);

describe("the tables", () => {
  test("have codes of one character, each once, with a name", () => {
    const tables = [
      TYPES_006,
      ...Object.values(LEADER_POSITIONS).flatMap((positions) => positions.map(({ values }) => values)),
      ...Object.values(CATEGORIES_007).flatMap(({ positions }) => positions.flatMap(({ values }) => values ?? [])),
    ];
    for (const table of tables) {
      const found = parseCodeList(table);
      expect(new Set(found.map(([code]) => code)).size, table).toBe(found.length);
      for (const [code, name] of found) expect(code.length === 1 && name.length > 1, `${code}:${name}`).toBe(true);
    }
  });

  test("of field 007 are as long as the standard has them", () => {
    const lengths = { a: 8, c: 14, d: 6, f: 10, g: 9, h: 13, k: 6, m: 23, o: 2, q: 2, r: 11, s: 14, t: 2, v: 9, z: 2 };
    for (const [category, length] of Object.entries(lengths)) {
      const positions = CATEGORIES_007[category]?.positions ?? [];
      // Category and, behind the specific material designation, an undefined position where more follows.
      const own = positions.reduce((sum, position) => sum + position.length, 0);
      expect(1 + own + (positions.length > 1 ? 1 : 0), category).toBe(length);
    }
  });
});

describe("field 008", () => {
  test("has the positions of its material, without those that are undefined", () => {
    expect(codes("008", ITEMS)).toEqual(["Entered", "DtSt", "Date1", "Lang", "Ills", "Form"]);
    expect(codes("008", ITEMS, withPosition(BOOK.leader, 7, "s"))).toContain("Freq");
  });

  test("has lists of characters, codes to choose, and text", () => {
    const parts = partsOfField("008", ITEMS, BOOK.leader, SPECIFICATION);
    const of = (code: string) => parts.find((part) => part.code === code);
    expect(of("Ills")).toMatchObject({ isList: true, length: 4, name: "Name of Ills" });
    expect(of("DtSt")?.values).toContainEqual(["s", "Value s"]);
    expect(of("Date1")).toMatchObject({ length: 4, values: undefined });
    expect(of("Entered"), "as long as what is there").toMatchObject({ length: 6, isReadOnly: true });
  });

  test("shows what came where no table is known", () => {
    const came = { Type: "a", BLvl: "m", Lang: "eng", Cont: ["a", "b"] };
    const parts = partsOfField("008", came, BOOK.leader, undefined);
    expect(parts.map(({ code }) => code)).toEqual(["Lang", "Cont"]);
  });

  test("follows the leader: what fits stays, what is new is blank", () => {
    const draft = withLeader(draftOf(BOOK), withPosition(BOOK.leader, 7, "s"), SPECIFICATION);
    expect(draft.rows[2]?.items).toEqual({
      Type: "a",
      BLvl: "s",
      Entered: "240101",
      DtSt: "s",
      Date1: "1998",
      Lang: "eng",
      Freq: "\\",
      Form: "\\",
    });
    const status = withLeader(draftOf(BOOK), withPosition(BOOK.leader, 5, "c"), SPECIFICATION);
    expect(status.rows).toEqual(draftOf(BOOK).rows);
    expect(status.leader).toBe("01542cam\\a2200361\\a\\4500");
  });

  test("begins on the day, and blank, or uncoded where a blank is no value", () => {
    expect(initialItems("008", BOOK.leader, SPECIFICATION, new Date("2026-11-28T10:00:00Z"))).toEqual({
      Type: "a",
      BLvl: "m",
      Entered: "261128",
      DtSt: "|",
      Date1: "\\\\\\\\",
      Lang: "\\\\\\",
      Ills: ["\\", "\\", "\\", "\\"],
      Form: "\\",
    });
  });
});

describe("fields 006 and 007", () => {
  test("have the positions of their material", () => {
    expect(codes("006", { Type: "a" })).toEqual(["Type", "Ills", "Form"]);
    expect(codes("006", { Type: "s" })).toEqual(["Type", "Freq", "Form"]);
    expect(codes("007", { Category: "t" })).toEqual(["Category", "SMD"]);
    expect(codes("007", { Category: "b" })).toEqual(["Category"]);
  });

  test("follow another material", () => {
    expect(withType({ Type: "a", Ills: ["a", "\\", "\\", "\\"], Form: "o" }, "s", BOOK.leader, SPECIFICATION)).toEqual({
      Type: "s",
      Freq: "\\",
      Form: "o",
    });
    expect(withCategory({ Category: "v", SMD: "d", "Image bit depth": "mmm" }, "c")).toMatchObject({
      Category: "c",
      SMD: "d",
      "Image bit depth": "mmm",
      "File formats": "|",
    });
  });

  test("a list does not fit where a text was", () => {
    const part = { code: "Cont", name: "", length: 2, isList: true, isReadOnly: false };
    expect(fitItems({ Cont: "ab" }, [part])).toEqual({ Cont: ["\\", "\\"] });
  });
});
