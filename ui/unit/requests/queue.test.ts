import { expect, test } from "vitest";
import type { PatronRequest } from "../../src/api/records.ts";
import { targetIndex } from "../../src/requests/order.ts";

const queue = ["Open - Awaiting pickup", "Open - Not yet filled", "Open - Not yet filled", "Open - Not yet filled"].map(
  (status) => ({ status }) as PatronRequest,
);

test("keys move a place up or down, to the front of what has not begun, or to the end", () => {
  expect(targetIndex("ArrowUp", 2, queue)).toBe(1);
  expect(targetIndex("ArrowDown", 2, queue)).toBe(3);
  expect(targetIndex("Home", 3, queue)).toBe(1);
  expect(targetIndex("End", 1, queue)).toBe(3);
  expect(targetIndex("x", 1, queue)).toBeUndefined();
});
