import { describe, expect, test } from "vitest";
import { sortRows, type TableColumn, visibleColumns } from "../../src/parts/table/column.ts";
import { keyCommand } from "../../src/parts/table/keys.ts";
import { EMPTY_SELECTION, extendToRow, toggleRow, withoutMissingRows } from "../../src/parts/table/selection.ts";
import { roundScrollTop, scrollTopFor, visibleRange } from "../../src/parts/table/window.ts";

describe("the rows that stand in the page", () => {
  const view = { height: 600, rowHeight: 24, count: 10_000 };

  test("are those that are seen and a few around them", () => {
    expect(visibleRange({ ...view, top: 0 })).toEqual({ first: 0, end: 37 });
    expect(visibleRange({ ...view, top: 24 * 5000 })).toEqual({ first: 4988, end: 5037 });
    expect(visibleRange({ ...view, top: 24 * 9975 })).toEqual({ first: 9963, end: 10_000 });
  });

  test("are all of a short table, and none of an empty one or of one that has become shorter", () => {
    expect(visibleRange({ ...view, top: 0, count: 3 })).toEqual({ first: 0, end: 3 });
    expect(visibleRange({ ...view, top: 0, count: 0 })).toEqual({ first: 0, end: 0 });
    expect(visibleRange({ ...view, top: 24 * 5000, count: 3 })).toEqual({ first: 3, end: 3 });
  });

  test("change after some rows, not after each pixel", () => {
    expect(roundScrollTop(95, 24)).toBe(0);
    expect(roundScrollTop(96, 24)).toBe(96);
  });

  test("are scrolled no further than a row needs to be seen", () => {
    const at = { top: 240, height: 240, rowHeight: 24 };
    expect(scrollTopFor(12, at)).toBe(240);
    expect(scrollTopFor(3, at)).toBe(72);
    expect(scrollTopFor(20, at)).toBe(264);
  });
});

interface Copy {
  title: string;
  fee?: number;
}

const title: TableColumn<Copy> = { id: "title", name: "Title", width: 10, value: ({ title }) => title, isMain: true };
const fee: TableColumn<Copy> = { id: "fee", name: "Fee", width: 4, value: ({ fee }) => fee };
const extra: TableColumn<Copy> = { id: "extra", name: "Extra", width: 4, value: () => "", isExtra: true };

describe("the order of the rows", () => {
  test("goes by words as people sort them, and by numbers as such", () => {
    const rows = [{ title: "zebra" }, { title: "Äpfel" }, { title: "vol. 10" }, { title: "vol. 9" }];
    expect(sortRows(rows, title, false).map((row) => row.title)).toEqual(["Äpfel", "vol. 9", "vol. 10", "zebra"]);
    const fees = [10, 9, 100].map((fee) => ({ title: "", fee }));
    expect(sortRows(fees, fee, true).map((row) => row.fee)).toEqual([100, 10, 9]);
  });

  test("has what is empty at its end, in both directions", () => {
    const rows: Copy[] = [{ title: "a" }, { title: "b", fee: 1 }, { title: "c", fee: 2 }];
    expect(sortRows(rows, fee, false).map((row) => row.title)).toEqual(["b", "c", "a"]);
    expect(sortRows(rows, fee, true).map((row) => row.title)).toEqual(["c", "b", "a"]);
  });

  test("is as it came without a column", () => {
    expect(sortRows([{ title: "b" }, { title: "a" }], undefined, false).map((row) => row.title)).toEqual(["b", "a"]);
  });
});

describe("the columns", () => {
  const ids = (columns: TableColumn<Copy>[]) => columns.map(({ id }) => id);
  const all = [title, fee, extra];

  test("are those that the address names, in the order of the table", () => {
    expect(ids(visibleColumns(all, "extra,title", false))).toEqual(["title", "extra"]);
  });

  test("are the usual ones for an address that names none of them, and the main ones where there is little room", () => {
    expect(ids(visibleColumns(all, "nothing", false))).toEqual(["title", "fee"]);
    expect(ids(visibleColumns(all, "", true))).toEqual(["title"]);
  });
});

describe("ticks", () => {
  const order = ["a", "b", "c", "d"];
  const keys = ({ keys }: { keys: ReadonlySet<string> }) => [...keys].sort().join("");

  test("come and go with each press", () => {
    const one = toggleRow(EMPTY_SELECTION, "b");
    expect(keys(one)).toBe("b");
    expect(keys(toggleRow(one, "b"))).toBe("");
  });

  test("go with shift from the last ticked row to the pressed one, up and down", () => {
    expect(keys(extendToRow(toggleRow(EMPTY_SELECTION, "b"), "d", order))).toBe("bcd");
    expect(keys(extendToRow(toggleRow(EMPTY_SELECTION, "c"), "a", order))).toBe("abc");
    expect(keys(extendToRow(EMPTY_SELECTION, "c", order))).toBe("c");
  });

  test("of rows that are not there any more are gone", () => {
    const both = extendToRow(toggleRow(EMPTY_SELECTION, "a"), "b", order);
    expect(keys(withoutMissingRows(both, ["b", "c"]))).toBe("b");
    expect(withoutMissingRows(both, order)).toBe(both);
  });
});

describe("keys", () => {
  const press = (key: string, more = {}) =>
    keyCommand(
      { key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more },
      { active: 5, count: 100, page: 20 },
    );

  test("go from row to row and do not leave the table", () => {
    expect(press("ArrowDown")).toEqual({ to: 6 });
    expect(press("PageUp")).toEqual({ to: 0 });
    expect(press("End")).toEqual({ to: 99 });
    expect(press("ArrowDown", { shiftKey: true })).toEqual({ to: 6, does: "tickRange" });
  });

  test("tick, open, and leave everything else to the browser", () => {
    expect(press(" ")).toEqual({ does: "tick" });
    expect(press("Enter")).toEqual({ does: "open" });
    expect(press("a", { ctrlKey: true })).toEqual({ does: "tickAll" });
    expect(press("c", { ctrlKey: true })).toBeUndefined();
    expect(press("ArrowDown", { altKey: true })).toBeUndefined();
    expect(press("Tab")).toBeUndefined();
  });
});
