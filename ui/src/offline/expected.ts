/** The due date to expect before the server has decided, computed from the offline data, or unknown. */

import type { User } from "../api/records.ts";
import { type DueDates, dueDates, itemKind, kindKey, type Span } from "./luggage.ts";

export type ExpectedDueDate =
  | { is: "due"; at: string }
  /** Why the circulation rules do not allow this patron group to borrow the item. */
  | { is: "notLent"; reason: string }
  | { is: "unknown" };

const UNKNOWN: ExpectedDueDate = { is: "unknown" };

interface ExpectedDueQuery {
  barcode: string;
  /** The instant of the scan. */
  at: string;
  servicePointId: string;
  group: string | undefined;
  /** The borrower, if they have been looked up. */
  borrower: User | undefined;
}

export async function findExpectedDueDate({
  barcode,
  at,
  servicePointId,
  group,
  borrower,
}: ExpectedDueQuery): Promise<ExpectedDueDate> {
  const known = await dueDates(servicePointId);
  const kind = await itemKind(barcode, servicePointId);
  const spans = known && kind && findSpans(known, kind, group);
  const expected = spans ? expectedAt(spans, Date.parse(at)) : UNKNOWN;
  // If the registration ends before the expected date, the due date follows from it and from opening hours, which only
  // the server knows.
  const ends = borrower?.expirationDate;
  return expected.is === "due" && ends && Date.parse(ends) < Date.parse(expected.at) ? UNKNOWN : expected;
}

/** The due dates for the borrower's group; if the group is unknown, those that are the same for every group. */
function findSpans(known: DueDates, key: string, groupId: string | undefined): Span[] | undefined {
  const kind = known.kinds.findIndex((one) => kindKey(one) === key);
  const groups = groupId === undefined ? known.groups : known.groups.filter(({ id }) => id === groupId);
  const policies = new Set(groups.map((group) => group.policies[kind]));
  const [policy] = policies;
  return policies.size === 1 && policy != null ? known.policies[policy]?.spans : undefined;
}

function expectedAt(spans: Span[], at: number): ExpectedDueDate {
  const span = spans.find(({ from, until }) => Date.parse(from) <= at && at < Date.parse(until));
  if (span?.notLent !== undefined) return { is: "notLent", reason: span.notLent };
  if (span?.due !== undefined) return { is: "due", at: span.due };
  if (span?.afterSeconds === undefined) return UNKNOWN;
  return { is: "due", at: new Date(at + span.afterSeconds * 1000).toISOString() };
}

/** Whether the due date of the server differs by a minute or more from the one that the patron was told. */
export function differsFromExpected(told: string | undefined, due: string): boolean {
  return told !== undefined && Math.abs(Date.parse(told) - Date.parse(due)) >= 60_000;
}
