import { expect, test } from "vitest";
import type { Loan } from "../../src/api/records.ts";
import { groupByBorrower } from "../../src/check-in/borrowers.ts";
import type { CheckInScan } from "../../src/check-in/session.ts";

const returnedScan = (id: string, userId?: string, is: "done" | "undone" = "done") =>
  ({ state: { is, answer: { loan: { id, userId } as Loan } } }) as Pick<CheckInScan, "state">;

test("each patron of a pile has a receipt of what they brought back, and nothing of the others", () => {
  const waiting = { state: { is: "waiting" } } as Pick<CheckInScan, "state">;
  const unlent = { state: { is: "done", answer: {} } } as Pick<CheckInScan, "state">;
  const piles = groupByBorrower([
    returnedScan("1", "ann"),
    returnedScan("2", "ben"),
    waiting,
    unlent,
    returnedScan("3", "ann"),
  ]);
  expect(piles.map(({ userId, loans }) => [userId, loans.map(({ id }) => id)])).toEqual([
    ["ann", ["1", "3"]],
    ["ben", ["2"]],
  ]);
});

test("a return that was taken back is on no receipt, nor is one of nobody", () => {
  expect(groupByBorrower([returnedScan("1", "ann", "undone"), returnedScan("2")])).toEqual([]);
});
