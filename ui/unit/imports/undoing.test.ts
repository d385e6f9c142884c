import { describe, expect, test } from "vitest";
import { addPage, countRecords, EMPTY_FORECAST, explainUndoReason, groupByReason } from "../../src/imports/undoing.ts";
import { en } from "../../src/imports/words/en.ts";

const ITEM = "the item was changed since, or deleted";

describe("what undoing would do", () => {
  test("is counted over all pages, and numbers are those of the log", () => {
    const first = addPage(EMPTY_FORECAST, {
      records: 2,
      entities: [{ entityType: "INSTANCE", removed: 1, restored: 0 }],
      notUndone: [{ recordOrder: 4, reason: ITEM }],
    });
    const both = addPage(first, {
      records: 3,
      entities: [
        { entityType: "INSTANCE", removed: 2, restored: 1 },
        { entityType: "ITEM", removed: 1, restored: 0 },
      ],
      notUndone: [{ recordOrder: 1, reason: ITEM }],
    });
    expect(both).toEqual({
      checked: 5,
      entities: [
        { entityType: "INSTANCE", removed: 3, restored: 1 },
        { entityType: "ITEM", removed: 1, restored: 0 },
      ],
      stays: [{ reason: ITEM, count: 2, numbers: [2, 5] }],
    });
    // A page leaves those before it as they were.
    expect(first.checked).toBe(2);
    expect(countRecords(first.stays)).toBe(1);
  });

  test("counts all records that stay, and names some", () => {
    const kept = Array.from({ length: 50 }, (_, recordOrder) => ({ recordOrder, reason: ITEM }));
    const [only] = groupByReason(kept);
    expect(only?.count).toBe(50);
    expect(only?.numbers).toHaveLength(20);
  });
});

describe("why a record stays", () => {
  test.each([
    [ITEM, en.undo.reasons.item],
    ["the holdings record was changed since, or deleted", en.undo.reasons.holdings],
    ["the instance was changed since, or deleted", en.undo.reasons.instance],
    ["the authority was changed since, or deleted", en.undo.reasons.authority],
    ["its holdings have got more items", en.undo.reasons.moreItems],
    ["its instance has got more holdings", en.undo.reasons.moreHoldings],
    ["its MARC record was changed since", en.undo.reasons.marc],
    ["other records refer to what it made", en.undo.reasons.referred],
    ["something else", undefined],
  ])("%s", (reason, expected) => expect(explainUndoReason(reason, en.undo.reasons)).toBe(expected));
});
