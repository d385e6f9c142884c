/** Searches the list of patrons by a text and by filters. */

import { and, equals, isAnyOf, sortBy } from "./cql.ts";
import { list } from "./list.ts";
import { patronQuery } from "./patrons.ts";
import type { User } from "./records.ts";

export interface PatronFilters {
  text: string;
  group: string;
  status: "" | "active" | "inactive";
  expired: boolean;
  owing: boolean;
  /** Only patrons whose record was created at or after this instant (ISO 8601). */
  since: string;
}

/**
 * The CQL query of the filters; undefined if none is set. `owing` is not part of it, because fees are in another list.
 */
export function filtersToCql({ text, group, status, expired, since }: PatronFilters, now: string): string | undefined {
  const parts = [
    text && patronQuery(text),
    group && equals("patronGroup", group),
    status && equals("active", String(status === "active")),
    expired && `expirationDate<"${now}"`,
    // FOLIO's member `createdDate` of a user is the date of the last change; that of `metadata` is the date of
    // creation.
    since && `metadata.createdDate>="${since}"`,
  ].filter(Boolean) as string[];
  return parts.length === 0 ? undefined : and(...parts);
}

export const hasFilters = (wanted: PatronFilters) => wanted.owing || filtersToCql(wanted, "") !== undefined;

export interface FoundPatrons {
  users: User[];
  totalRecords: number;
  /** The amount that each patron owes, by user id, if the search was for patrons who owe fees. */
  owed?: Map<string, number>;
  /** More open fees exist than were read, so some patrons who owe may be missing. */
  isPartial?: boolean;
}

interface Page {
  limit: number;
  offset: number;
}

const BY_NAME = "personal.lastName personal.firstName";
const EVERYBODY = "cql.allRecords=1";

export function searchPatrons(wanted: PatronFilters, page: Page): Promise<FoundPatrons> {
  const query = filtersToCql(wanted, new Date().toISOString());
  return wanted.owing
    ? searchDebtors(query, page)
    : list("/users", { query: sortBy(query ?? EVERYBODY, BY_NAME), ...page });
}

/** At most so many open fees are read. */
export const MAX_FEES = 2000;
/** So many ids fit into the address of one call. */
const IDS_PER_QUERY = 100;

/**
 * Finds patrons who owe fees. Fees are in another list than patrons, so the patrons are loaded by the ids in the open
 * fees, and paged here.
 */
async function searchDebtors(query: string | undefined, { limit, offset }: Page): Promise<FoundPatrons> {
  const { accounts, totalRecords } = await list("/accounts", { query: equals("status.name", "Open"), limit: MAX_FEES });
  const owed = new Map<string, number>();
  for (const { userId, remaining } of accounts) owed.set(userId, (owed.get(userId) ?? 0) + remaining);
  const ids = [...owed.keys()];
  const batches = Array.from({ length: Math.ceil(ids.length / IDS_PER_QUERY) }, (_, index) =>
    ids.slice(index * IDS_PER_QUERY, (index + 1) * IDS_PER_QUERY),
  );
  const found = await Promise.all(
    batches.map((batch) =>
      list("/users", { query: and(isAnyOf("id", batch), ...(query ? [query] : [])), limit: IDS_PER_QUERY }),
    ),
  );
  const users = found.flatMap((part) => part.users).sort(compareNames);
  return {
    users: users.slice(offset, offset + limit),
    totalRecords: users.length,
    owed,
    isPartial: totalRecords > accounts.length,
  };
}

const compareNames = (one: User, other: User) => sortKey(one).localeCompare(sortKey(other));
const sortKey = ({ personal }: User) => `${personal?.lastName ?? ""}\u0000${personal?.firstName ?? ""}`;
