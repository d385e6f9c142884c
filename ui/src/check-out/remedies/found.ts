/** What keeps a patron from borrowing: gathered from their record, their blocks, and what was refused to them. */

import type { Refusal } from "../../api/http.ts";
import type { Block } from "../../api/patrons.ts";
import type { Account, Loan, User } from "../../api/records.ts";
import { helpFor } from "../../loans/refusal-words.ts";
import { isExpired } from "../../patrons/registration.ts";

export interface Obstacles {
  expired: boolean;
  /** Set to inactive, and not because the registration has ended: renewal makes those active again. */
  inactive: boolean;
  /** Written by staff. */
  manual: Block[];
  /** From limits of patron groups, which mod-patron-blocks counts by itself. */
  automated: Block[];
  /** What the loan policy or its limits have said of what was scanned. */
  loanLimits: string[];
  owed: number;
  /** What may come back: the longest overdue first. */
  loans: Loan[];
}

/** The conditions of mod-patron-blocks under their ids: which are about money, and which about items. */
const ABOUT_MONEY = "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a";
const ABOUT_ITEMS = [
  "3d7c52dc-c732-4223-8bf8-e5917801386f",
  "584fbd4f-6a34-4730-a6ca-73a6a6a9d845",
  "e5b45031-a202-4abb-917b-e1df9346fe2c",
  "08530ac4-07f2-48e6-9dda-a97bc2bf7053",
];

export function obstacles(
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
    owed: isAbout([ABOUT_MONEY]) ? known.accounts.reduce((sum, { remaining }) => sum + remaining, 0) : 0,
    loans: isAbout(ABOUT_ITEMS) || loanLimits.length > 0 ? known.loans.toSorted(byDueDate) : [],
  };
}

const byDueDate = (one: Loan, other: Loan) => Date.parse(one.dueDate) - Date.parse(other.dueDate);

export const isClear = ({ expired, inactive, manual, automated, loanLimits }: Obstacles) =>
  !expired && !inactive && manual.length + automated.length + loanLimits.length === 0;
