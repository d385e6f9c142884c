import { describe, expect, test } from "vitest";
import { asMany, countedOn, MOST_COPIES, numbered, ownOf, scannedInto } from "../../src/inventory/editing/copies.ts";

const NONE = { volume: "", copyNumber: "" };
const V1 = { volume: "v.1", copyNumber: "" };

describe("volumes count on", () => {
  test.each([
    ["v.1", 4, "v.5"],
    ["Bd. 09", 1, "Bd. 10"],
    ["2024, no. 3 (June)", 2, "2024, no. 5 (June)"],
    ["index", 3, "index"],
    ["", 3, ""],
  ])("from %j by %d to %j", (first, steps, expected) => {
    expect(countedOn(first, steps)).toBe(expected);
  });
});

describe("copies", () => {
  test("are as many as was said, numbered, and keep what stands in their rows", () => {
    const [one] = asMany([], 1, V1);
    const rows = asMany(one ? [{ ...one, barcode: "b" }] : [], 3, V1);
    expect(rows.map(({ volume }) => volume)).toEqual(["v.1", "v.2", "v.3"]);
    expect(rows[0]?.barcode).toBe("b");
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
    expect(asMany(rows, 2, V1)).toEqual(rows.slice(0, 2));
  });

  test("are one at least and not too many, and those that are made stay", () => {
    expect(asMany([], 0, NONE)).toHaveLength(1);
    expect(asMany([], 9999, NONE)).toHaveLength(MOST_COPIES);
    const rows = asMany([], 3, NONE).map((row, index) => ({ ...row, isMade: index < 2 }));
    expect(asMany(rows, 1, NONE)).toHaveLength(2);
  });

  test("are numbered anew except those that are made", () => {
    const rows = asMany([], 3, NONE).map((row, index) => ({ ...row, isMade: index === 0 }));
    expect(numbered(rows, "copyNumber", "c.1").map(({ copyNumber }) => copyNumber)).toEqual(["", "c.2", "c.3"]);
  });

  test("take scans one after the other, and grow with them", () => {
    const rows = ["1", "2", "2", "3"].reduce((now, code) => scannedInto(now, code, V1), asMany([], 2, V1));
    expect(rows.map(({ barcode, volume }) => [barcode, volume])).toEqual([
      ["1", "v.1"],
      ["2", "v.2"],
      ["3", "v.3"],
    ]);
  });

  test("send only what stands in their row", () => {
    const [row] = asMany([], 1, NONE);
    expect(row && ownOf({ ...row, barcode: " 1 " })).toEqual({ id: row?.id, barcode: "1" });
  });
});
