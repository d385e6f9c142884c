/** Transactions with partner libraries (mod-dcb), assembled from their status changes in a span of days. */

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

/** A status change of a transaction, as mod-dcb answers it. */
export interface StatusChange {
  id: string;
  status: Status;
  role: Role;
  item?: { id?: string; title?: string; barcode?: string; materialType?: string; lendingLibraryCode?: string };
  /** Missing if the patron's data were deleted. */
  patron?: { id?: string; group?: string; barcode?: string };
  pickup?: { servicePointName?: string; libraryCode?: string };
  date?: string;
}

export interface Transaction extends StatusChange {
  /** All status changes in the span of days, the earliest first. */
  history: StatusChange[];
}

/** The server returns at most so many status changes in one answer. */
export const MAX_CHANGES = 10_000;

interface StatusChanges {
  transactions: StatusChange[];
  totalRecords: number;
}

/** Days are days of the library's time zone. */
export function loadStatusChanges(
  from: string,
  to: string,
  timeZone: string,
  signal: AbortSignal,
): Promise<StatusChanges> {
  const query = {
    fromDate: toZoned(parseDate(from), timeZone).toAbsoluteString(),
    toDate: endOfDay(to, timeZone),
    pageSize: MAX_CHANGES,
  };
  return ask<StatusChanges>("/transactions/status", { query, signal });
}

/** The transaction that changed last comes first. */
export function toTransactions(changes: readonly StatusChange[]): Transaction[] {
  const found = new Map<string, Transaction>();
  for (const change of changes) {
    const history = [...(found.get(change.id)?.history ?? []), change];
    found.delete(change.id);
    found.set(change.id, { ...change, history });
  }
  return [...found.values()].reverse();
}

export const cancelTransaction = (id: string) =>
  ask(`/transactions/${encodeURIComponent(id)}/status`, { method: "PUT", body: { status: "CANCELLED" } });

/**
 * Who sets the next status of a transaction: this library's desk, or the hub, which reports what another library has
 * done.
 */
export type NextStatusSource = "desk" | "hub";

const DESK_STATUSES: Record<Role, readonly Status[]> = {
  LENDER: ["OPEN", "CLOSED"],
  BORROWER: [],
  PICKUP: ["AWAITING_PICKUP", "ITEM_CHECKED_OUT", "ITEM_CHECKED_IN"],
  "BORROWING-PICKUP": ["AWAITING_PICKUP", "ITEM_CHECKED_OUT", "ITEM_CHECKED_IN"],
};

/** The next status, and who sets it; undefined if the transaction has ended. */
export function nextStatus({ role, status }: StatusChange): { status: Status; by: NextStatusSource } | undefined {
  const at = STATUSES.indexOf(status);
  const following = STATUSES[at + 1];
  if (at < 0 || status === "CLOSED" || status === "CANCELLED" || !following) return undefined;
  return { status: following, by: DESK_STATUSES[role]?.includes(following) ? "desk" : "hub" };
}

/** A transaction can be cancelled until the item is checked out. */
export const canBeCancelled = ({ status }: StatusChange) =>
  status === "CREATED" || status === "OPEN" || status === "AWAITING_PICKUP";
