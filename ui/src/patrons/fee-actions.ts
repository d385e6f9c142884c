/** The actions on fees/fines: how much of them can be refunded, and whether an attempt without an answer was booked. */

import { isAnyOf, sortBy } from "../api/cql.ts";
import { Refused } from "../api/http.ts";
import { listAll } from "../api/list.ts";
import type { Account, FeeAction } from "../api/records.ts";
import { toCents } from "../parts/cents.ts";

/** All actions on these accounts; undefined if the staff member may not read them. */
export async function loadFeeActions(accounts: readonly Account[]): Promise<FeeAction[] | undefined> {
  const query = isAnyOf(
    "accountId",
    accounts.map(({ id }) => id),
  );
  try {
    return await listAll("/feefineactions", sortBy(query, "dateAction"), ({ feefineactions }) => feefineactions);
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** What was paid and transferred of an account and has not been refunded. */
export function refundableAmount({ id }: Account, actions: readonly FeeAction[]): number {
  let cents = 0;
  for (const { accountId, typeAction = "", amountAction = 0 } of actions) {
    if (accountId !== id) continue;
    if (/^(paid|transferred) /i.test(typeAction)) cents += toCents(amountAction);
    if (/^refunded /i.test(typeAction)) cents -= toCents(amountAction);
  }
  return Math.max(0, cents) / 100;
}

/** The sum of this staff member's actions that were not there before; undefined if there is none. */
export function bookedSince(
  before: readonly FeeAction[],
  now: readonly FeeAction[],
  source: string | undefined,
): number | undefined {
  const known = new Set(before.map(({ id }) => id));
  const booked = now.filter((action) => !known.has(action.id) && action.source === source);
  if (booked.length === 0) return undefined;
  return booked.reduce((cents, { amountAction = 0 }) => cents + toCents(amountAction), 0) / 100;
}
