import { expect, test } from "vitest";
import type { Account, FeeAction } from "../../src/api/records.ts";
import { bookedSince, refundableAmount } from "../../src/patrons/fee-actions.ts";

let number = 0;
const action = (typeAction: string, amountAction: number, source = "Desk, Ann"): FeeAction => {
  number += 1;
  return { id: String(number), accountId: "a", userId: "u", typeAction, amountAction, source };
};

test.each<[string, FeeAction[], number]>([
  ["nothing was paid", [action("Overdue fine", 10)], 0],
  ["only waived", [action("Overdue fine", 10), action("Waived fully", 10)], 0],
  ["waived and paid", [action("Overdue fine", 10), action("Waived partially", 4), action("Paid fully", 6)], 6],
  ["paid and transferred", [action("Paid partially", 0.1), action("Transferred fully", 0.2)], 0.3],
  [
    "partly refunded before",
    [action("Paid fully", 6), action("Credited partially", 2), action("Refunded partially", 2)],
    4,
  ],
  ["another account", [{ ...action("Paid fully", 6), accountId: "b" }], 0],
])("%s: what can be refunded is what was paid and transferred and not refunded", (_, actions, amount) => {
  expect(refundableAmount({ id: "a" } as Account, actions)).toBe(amount);
});

test("an attempt without an answer is known by new actions of the same staff member", () => {
  const before = [action("Overdue fine", 10), action("Paid partially", 1)];
  expect(bookedSince(before, before, "Desk, Ann")).toBeUndefined();
  expect(bookedSince(before, [...before, action("Paid partially", 5, "Other")], "Desk, Ann")).toBeUndefined();
  const now = [...before, action("Paid partially", 5), action("Paid fully", 0.5)];
  expect(bookedSince(before, now, "Desk, Ann")).toBe(5.5);
});
