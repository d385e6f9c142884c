/** Who has brought back what of a pile. */

import type { Loan } from "../api/records.ts";
import type { Returned } from "./session.ts";

interface Pile {
  userId: string;
  loans: Loan[];
}

/** By borrower, in the order in which they came. What was on loan to nobody, or has been taken back, is on no receipt. */
export function byBorrower(scans: readonly Pick<Returned, "state">[]): Pile[] {
  const piles = new Map<string, Loan[]>();
  for (const { state } of scans) {
    const loan = state.is === "done" ? state.answer.loan : undefined;
    if (loan?.userId) piles.set(loan.userId, [...(piles.get(loan.userId) ?? []), loan]);
  }
  return [...piles].map(([userId, loans]) => ({ userId, loans }));
}
