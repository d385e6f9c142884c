/** The due date that is told before the server has decided: from what was packed, or not at all. */

import type { User } from "../api/records.ts";
import { type DueDates, dueDates, keyOf, kindOf, type Span } from "./luggage.ts";

export type Expected =
  | { is: "due"; at: string }
  /** Why the circulation rules let nobody of this patron group borrow the item. */
  | { is: "notLent"; reason: string }
  | { is: "unknown" };

const UNKNOWN: Expected = { is: "unknown" };

interface Asked {
  barcode: string;
  /** When it was scanned. */
  at: string;
  servicePointId: string;
  group: string | undefined;
  /** The borrower, if they have been looked up. */
  borrower: User | undefined;
}

export async function expect({ barcode, at, servicePointId, group, borrower }: Asked): Promise<Expected> {
  const known = await dueDates(servicePointId);
  const kind = await kindOf(barcode, servicePointId);
  const spans = known && kind && spansOf(known, kind, group);
  const expected = spans ? answerOf(spans, Date.parse(at)) : UNKNOWN;
  // Then the time of the patron decides, and opening hours once more: the server knows.
  const ends = borrower?.expirationDate;
  return expected.is === "due" && ends && Date.parse(ends) < Date.parse(expected.at) ? UNKNOWN : expected;
}

/** The borrower's group decides; where it is not known, what holds for every group holds for theirs. */
function spansOf(known: DueDates, key: string, groupId: string | undefined): Span[] | undefined {
  const kind = known.kinds.findIndex((one) => keyOf(one) === key);
  const groups = groupId === undefined ? known.groups : known.groups.filter(({ id }) => id === groupId);
  const policies = new Set(groups.map((group) => group.policies[kind]));
  const [policy] = policies;
  return policies.size === 1 && policy != null ? known.policies[policy]?.spans : undefined;
}

function answerOf(spans: Span[], at: number): Expected {
  const span = spans.find(({ from, until }) => Date.parse(from) <= at && at < Date.parse(until));
  if (span?.notLent !== undefined) return { is: "notLent", reason: span.notLent };
  if (span?.due !== undefined) return { is: "due", at: span.due };
  if (span?.afterSeconds === undefined) return UNKNOWN;
  return { is: "due", at: new Date(at + span.afterSeconds * 1000).toISOString() };
}

/** Whether the server has decided otherwise than was told. */
export function differs(told: string | undefined, due: string): boolean {
  return told !== undefined && Math.abs(Date.parse(told) - Date.parse(due)) >= 60_000;
}
