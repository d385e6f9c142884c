/** The list of patrons: by what was typed, narrowed by filters. */

import { all, is, isAnyOf, sorted } from "./cql.ts";
import { list } from "./list.ts";
import { like } from "./patrons.ts";
import type { User } from "./records.ts";

export interface Wanted {
  text: string;
  group: string;
  status: "" | "active" | "inactive";
  expired: boolean;
  owing: boolean;
  /** From this instant on their record has been here. */
  since: string;
}

/** Nothing where nothing is asked; `owing` is not the query's, because it is about fees. */
export function queryFor({ text, group, status, expired, since }: Wanted, now: string): string | undefined {
  const parts = [
    text && like(text),
    group && is("patronGroup", group),
    status && is("active", String(status === "active")),
    expired && `expirationDate<"${now}"`,
    // FOLIO's own `createdDate` is that of the last change.
    since && `metadata.createdDate>="${since}"`,
  ].filter(Boolean) as string[];
  return parts.length === 0 ? undefined : all(...parts);
}

export const isAsked = (wanted: Wanted) => wanted.owing || queryFor(wanted, "") !== undefined;

export interface Found {
  users: User[];
  totalRecords: number;
  /** Who owes how much, where those who owe were asked for. */
  owed?: Map<string, number>;
  /** More owe than were looked at. */
  isPartial?: boolean;
}

interface Page {
  limit: number;
  offset: number;
}

const BY_NAME = "personal.lastName personal.firstName";
const EVERYBODY = "cql.allRecords=1";

export function searchPatrons(wanted: Wanted, page: Page): Promise<Found> {
  const query = queryFor(wanted, new Date().toISOString());
  return wanted.owing ? debtors(query, page) : list("/users", { query: sorted(query ?? EVERYBODY, BY_NAME), ...page });
}

/** So many open fees are looked at. */
export const MOST_FEES = 2000;
/** So many ids fit into an address. */
const AT_ONCE = 100;

/** The server keeps fees apart from patrons: those who owe are put together here, and turned over page by page. */
async function debtors(query: string | undefined, { limit, offset }: Page): Promise<Found> {
  const { accounts, totalRecords } = await list("/accounts", { query: is("status.name", "Open"), limit: MOST_FEES });
  const owed = new Map<string, number>();
  for (const { userId, remaining } of accounts) owed.set(userId, (owed.get(userId) ?? 0) + remaining);
  const ids = [...owed.keys()];
  const batches = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, index) =>
    ids.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
  const found = await Promise.all(
    batches.map((batch) =>
      list("/users", { query: all(isAnyOf("id", batch), ...(query ? [query] : [])), limit: AT_ONCE }),
    ),
  );
  const users = found.flatMap((part) => part.users).sort(byName);
  return {
    users: users.slice(offset, offset + limit),
    totalRecords: users.length,
    owed,
    isPartial: totalRecords > accounts.length,
  };
}

const byName = (one: User, other: User) => sortKey(one).localeCompare(sortKey(other));
const sortKey = ({ personal }: User) => `${personal?.lastName ?? ""}\u0000${personal?.firstName ?? ""}`;
