import { expect, test } from "vitest";
import type { Loan } from "../../src/api/records.ts";
import { byBorrower } from "../../src/check-in/borrowers.ts";
import type { Returned } from "../../src/check-in/session.ts";

const back = (id: string, userId?: string, is: "done" | "undone" = "done") =>
  ({ state: { is, answer: { loan: { id, userId } as Loan } } }) as Pick<Returned, "state">;

test("each patron of a pile has a receipt of what they brought back, and nothing of the others", () => {
  const waiting = { state: { is: "waiting" } } as Pick<Returned, "state">;
  const unlent = { state: { is: "done", answer: {} } } as Pick<Returned, "state">;
  const piles = byBorrower([back("1", "ann"), back("2", "ben"), waiting, unlent, back("3", "ann")]);
  expect(piles.map(({ userId, loans }) => [userId, loans.map(({ id }) => id)])).toEqual([
    ["ann", ["1", "3"]],
    ["ben", ["2"]],
  ]);
});

test("a return that was taken back is on no receipt, nor is one of nobody", () => {
  expect(byBorrower([back("1", "ann", "undone"), back("2")])).toEqual([]);
});
