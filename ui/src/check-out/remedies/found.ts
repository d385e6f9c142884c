/** Everything that prevents a patron from borrowing, from their record, their blocks, and their refused scans. */

import type { Refusal } from "../../api/http.ts";
import type { Block } from "../../api/patrons.ts";
import type { Account, Loan, User } from "../../api/records.ts";
import { helpFor } from "../../loans/refusal-words.ts";
import { isExpired } from "../../patrons/registration.ts";

export interface Obstacles {
  expired: boolean;
  /** Set to inactive for another reason than an expired registration, whose renewal makes the patron active again. */
  inactive: boolean;
  /** Manual blocks, which staff have set. */
  manual: Block[];
  /** Automated blocks, which come from limits of patron groups (mod-patron-blocks). */
  automated: Block[];
  /** The messages of refusals for limits of the loan policy. */
  loanLimits: string[];
  owed: number;
  /** The loans that the patron may return, the longest overdue first. */
  loans: Loan[];
}

/**
 * The ids of the patron block conditions in mod-patron-blocks: the one about the amount owed, and those about items.
 */
const FEE_CONDITION = "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a";
const ITEM_CONDITIONS = [
  "3d7c52dc-c732-4223-8bf8-e5917801386f",
  "584fbd4f-6a34-4730-a6ca-73a6a6a9d845",
  "e5b45031-a202-4abb-917b-e1df9346fe2c",
  "08530ac4-07f2-48e6-9dda-a97bc2bf7053",
];

export function findObstacles(
  user: User,
  known: { blocks: readonly Block[]; accounts: readonly Account[]; loans: readonly Loan[] },
  refusals: readonly Refusal[],
): Obstacles {
  const borrowing = known.blocks.filter((block) => block.borrowing);
  const automated = borrowing.filter(({ record }) => record === undefined);
  const loanLimits = refusals.filter((refusal) => helpFor(refusal) === "limit").map(({ message }) => message);
  const isAbout = (ids: readonly string[]) => automated.some(({ id }) => ids.includes(id));
  const expired = isExpired(user);
  return {
    expired,
    inactive: user.active === false && !expired,
    manual: borrowing.filter(({ record }) => record !== undefined),
    automated,
    loanLimits: [...new Set(loanLimits)],
    owed: isAbout([FEE_CONDITION]) ? known.accounts.reduce((sum, { remaining }) => sum + remaining, 0) : 0,
    loans: isAbout(ITEM_CONDITIONS) || loanLimits.length > 0 ? known.loans.toSorted(byDueDate) : [],
  };
}

const byDueDate = (one: Loan, other: Loan) => Date.parse(one.dueDate) - Date.parse(other.dueDate);

export const hasNoObstacle = ({ expired, inactive, manual, automated, loanLimits }: Obstacles) =>
  !expired && !inactive && manual.length + automated.length + loanLimits.length === 0;
