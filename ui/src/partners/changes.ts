/** Transactions with partner libraries, put together from the statuses that they got in a span of time. */

import { parseDate, toZoned } from "@internationalized/date";
import { ask } from "../api/http.ts";
import { endOfDay } from "../loans/override.tsx";

export const ROLES = ["LENDER", "BORROWER", "PICKUP", "BORROWING-PICKUP"] as const;
export const STATUSES = [
  "CREATED",
  "OPEN",
  "AWAITING_PICKUP",
  "ITEM_CHECKED_OUT",
  "ITEM_CHECKED_IN",
  "CLOSED",
  "CANCELLED",
] as const;

export type Role = (typeof ROLES)[number];
export type Status = (typeof STATUSES)[number];

/** A status that a transaction got, as mod-dcb tells it. */
export interface Change {
  id: string;
  status: Status;
  role: Role;
  item?: { id?: string; title?: string; barcode?: string; materialType?: string; lendingLibraryCode?: string };
  /** Nobody, if the patron was forgotten. */
  patron?: { id?: string; group?: string; barcode?: string };
  pickup?: { servicePointName?: string; libraryCode?: string };
  date?: string;
}

export interface Transaction extends Change {
  /** All statuses of the span, the earliest first. */
  history: Change[];
}

/** The most changes that the server tells at once. */
export const MOST = 10_000;

interface Told {
  transactions: Change[];
  totalRecords: number;
}

/** Days are those of the library's time zone. */
export function load(from: string, to: string, timeZone: string, signal: AbortSignal): Promise<Told> {
  const query = {
    fromDate: toZoned(parseDate(from), timeZone).toAbsoluteString(),
    toDate: endOfDay(to, timeZone),
    pageSize: MOST,
  };
  return ask<Told>("/transactions/status", { query, signal });
}

/** What has changed last comes first. */
export function together(changes: readonly Change[]): Transaction[] {
  const found = new Map<string, Transaction>();
  for (const change of changes) {
    const history = [...(found.get(change.id)?.history ?? []), change];
    found.delete(change.id);
    found.set(change.id, { ...change, history });
  }
  return [...found.values()].reverse();
}

export const cancel = (id: string) =>
  ask(`/transactions/${encodeURIComponent(id)}/status`, { method: "PUT", body: { status: "CANCELLED" } });

/** Who brings a transaction to its next status: this library's desk, or the hub, which tells what another library has done. */
export type By = "desk" | "hub";

const DESK: Record<Role, readonly Status[]> = {
  LENDER: ["OPEN", "CLOSED"],
  BORROWER: [],
  PICKUP: ["AWAITING_PICKUP", "ITEM_CHECKED_OUT", "ITEM_CHECKED_IN"],
  "BORROWING-PICKUP": ["AWAITING_PICKUP", "ITEM_CHECKED_OUT", "ITEM_CHECKED_IN"],
};

/** The status that comes next, and who brings it; none when the transaction has ended. */
export function next({ role, status }: Change): { status: Status; by: By } | undefined {
  const at = STATUSES.indexOf(status);
  const following = STATUSES[at + 1];
  if (at < 0 || status === "CLOSED" || status === "CANCELLED" || !following) return undefined;
  return { status: following, by: DESK[role]?.includes(following) ? "desk" : "hub" };
}

/** Before the loan. */
export const canBeCancelled = ({ status }: Change) =>
  status === "CREATED" || status === "OPEN" || status === "AWAITING_PICKUP";
