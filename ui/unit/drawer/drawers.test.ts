import { expect, test } from "vitest";
import { countDifference, type DrawerClosing, expectedAmount, isCash, sumByMethod } from "../../src/drawer/drawers.ts";

const payment = (paymentMethod: string, amountAction: number) => ({
  accountId: "",
  id: "",
  userId: "",
  paymentMethod,
  amountAction,
});

const closed: DrawerClosing = {
  opened: { at: "2026-11-25T08:00:00Z", by: "A", float: 50 },
  at: "2026-11-25T18:00:00Z",
  by: "B",
  payments: { Cash: 0.3 },
  out: 0.1,
  counted: 50.2,
  remark: "",
};

test("payments are summed by method, without the dust of floating numbers", () => {
  expect(sumByMethod([payment("Cash", 0.1), payment("Cash", 0.2), payment("Card", 5)])).toEqual({ Cash: 0.3, Card: 5 });
});

test("what should be in the drawer is what was there, came in, and did not go out", () => {
  expect(expectedAmount(closed)).toBe(50.2);
  expect(countDifference(closed)).toBe(0);
  expect(countDifference({ ...closed, counted: 50 })).toBe(-0.2);
  expect(countDifference({ ...closed, counted: 51.2 })).toBe(1);
});

test("cash is known by its name", () => {
  expect(["Cash", "cash register", "Bar", "Credit card", "Barclaycard"].map(isCash)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
