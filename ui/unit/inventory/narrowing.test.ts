import { describe, expect, test } from "vitest";
import type { Holdings, Item } from "../../src/api/inventory.ts";
import { filterCopies, groupByHoldings, splitIntoPages } from "../../src/inventory/copies/narrowing.ts";

const shelf = (id: string, place: string, callNumber = "") =>
  ({ id, instanceId: "t", permanentLocationId: place, callNumber }) as Holdings;
const item = (id: string, holdingsRecordId: string, more: Partial<Item> = {}) =>
  ({
    id,
    barcode: id,
    holdingsRecordId,
    status: { name: "Available" },
    materialType: {},
    permanentLoanType: {},
    ...more,
  }) as Item;

const ALL = { words: "", location: "", status: "" };
const SHELVES = [shelf("2", "B"), shelf("1", "A", "PR 10"), shelf("3", "A", "PR 9")];
const ITEMS = [
  item("x", "1", { volume: "v.10" }),
  item("y", "1", { volume: "v.9", status: { name: "Missing" } }),
  item("z", "2", { effectiveLocation: { id: "C", name: "Annex" } }),
];
const groups = groupByHoldings(SHELVES, ITEMS, (id) => id);

describe("copies", () => {
  test("stand in the order of location, call number and volume, in which numbers count as numbers", () => {
    expect(groups.map(({ shelf, items }) => [shelf.id, items.map(({ id }) => id)])).toEqual([
      ["3", []],
      ["1", ["y", "x"]],
      ["2", ["z"]],
    ]);
  });

  test.each([
    [ALL, ["3", "1", "2"]],
    [{ ...ALL, location: "C" }, ["2"]],
    [{ ...ALL, location: "A" }, ["3", "1"]],
    [{ ...ALL, status: "Missing" }, ["1"]],
    [{ ...ALL, words: "PR v.10" }, ["1"]],
    [{ ...ALL, words: "nothing" }, []],
  ])("are narrowed by %j", (wanted, expected) => {
    expect(filterCopies(groups, wanted).map(({ shelf }) => shelf.id)).toEqual(expected);
  });

  test("fill pages; holdings that do not fit go on, and no heading ends a page", () => {
    const many = groupByHoldings(
      [shelf("1", "A"), shelf("2", "B")],
      Array.from({ length: 7 }, (_, n) => item(`${n}`, "1")).concat(item("8", "2")),
      (id) => id,
    );
    const pages = splitIntoPages(many, 5);
    expect(
      pages.map((page) => page.map(({ shelf, items, goesOn = false }) => [shelf.id, items.length, goesOn])),
    ).toEqual([[["1", 4, false]], [["1", 3, true]], [["2", 1, false]]]);
    expect(splitIntoPages([])).toEqual([[]]);
  });

  test("of hundreds of holdings are all on some page", () => {
    const shelves = Array.from({ length: 300 }, (_, n) => shelf(`${n}`, "A"));
    const items = shelves.map(({ id }) => item(`i${id}`, id));
    const pages = splitIntoPages(groupByHoldings(shelves, items, (id) => id));
    expect(pages).toHaveLength(10);
    expect(pages.flat().flatMap((group) => group.items)).toHaveLength(300);
  });
});
