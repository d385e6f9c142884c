/** The returned items of a pile by borrower. */

import type { Loan } from "../api/records.ts";
import type { CheckInScan } from "./session.ts";

interface BorrowerPile {
  userId: string;
  loans: Loan[];
}

/** In the order in which the borrowers came. Items that were not on loan, and undone returns, are on no receipt. */
export function groupByBorrower(scans: readonly Pick<CheckInScan, "state">[]): BorrowerPile[] {
  const piles = new Map<string, Loan[]>();
  for (const { state } of scans) {
    const loan = state.is === "done" ? state.answer.loan : undefined;
    if (loan?.userId) piles.set(loan.userId, [...(piles.get(loan.userId) ?? []), loan]);
  }
  return [...piles].map(([userId, loans]) => ({ userId, loans }));
}
