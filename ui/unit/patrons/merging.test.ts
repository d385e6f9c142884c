/** How what goes over in a merge is counted. */

import { expect, test } from "vitest";
import { countMoved } from "../../src/patrons/merging/merging.ts";

test("records are counted by kind, whoever they name, and those behind the scenes not at all", () => {
  const moved = [
    { records: "loan history item", member: "loan.userId", count: 9 },
    { records: "fee/fine account", member: "userId", count: 1 },
    { records: "loan", member: "userId", count: 2 },
    { records: "loan", member: "proxyUserId", count: 1 },
    { records: "scheduled notice", member: "recipientUserId", count: 4 },
  ];
  expect(countMoved(moved)).toEqual([
    ["loan", 3],
    ["fee/fine account", 1],
  ]);
  expect(countMoved([])).toEqual([]);
});
