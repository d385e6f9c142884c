import { describe, expect, test } from "vitest";
import {
  addScannedBarcode,
  copyMembers,
  countOn,
  MAX_COPIES,
  renumberCopies,
  resizeCopies,
} from "../../src/inventory/editing/copies.ts";

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
    expect(countOn(first, steps)).toBe(expected);
  });
});

describe("copies", () => {
  test("are as many as was said, numbered, and keep what stands in their rows", () => {
    const [one] = resizeCopies([], 1, V1);
    const rows = resizeCopies(one ? [{ ...one, barcode: "b" }] : [], 3, V1);
    expect(rows.map(({ volume }) => volume)).toEqual(["v.1", "v.2", "v.3"]);
    expect(rows[0]?.barcode).toBe("b");
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
    expect(resizeCopies(rows, 2, V1)).toEqual(rows.slice(0, 2));
  });

  test("are one at least and not too many, and those that are made stay", () => {
    expect(resizeCopies([], 0, NONE)).toHaveLength(1);
    expect(resizeCopies([], 9999, NONE)).toHaveLength(MAX_COPIES);
    const rows = resizeCopies([], 3, NONE).map((row, index) => ({ ...row, isMade: index < 2 }));
    expect(resizeCopies(rows, 1, NONE)).toHaveLength(2);
  });

  test("are numbered anew except those that are made", () => {
    const rows = resizeCopies([], 3, NONE).map((row, index) => ({ ...row, isMade: index === 0 }));
    expect(renumberCopies(rows, "copyNumber", "c.1").map(({ copyNumber }) => copyNumber)).toEqual(["", "c.2", "c.3"]);
  });

  test("take scans one after the other, and grow with them", () => {
    const rows = ["1", "2", "2", "3"].reduce((now, code) => addScannedBarcode(now, code, V1), resizeCopies([], 2, V1));
    expect(rows.map(({ barcode, volume }) => [barcode, volume])).toEqual([
      ["1", "v.1"],
      ["2", "v.2"],
      ["3", "v.3"],
    ]);
  });

  test("send only what stands in their row", () => {
    const [row] = resizeCopies([], 1, NONE);
    expect(row && copyMembers({ ...row, barcode: " 1 " })).toEqual({ id: row?.id, barcode: "1" });
  });
});
