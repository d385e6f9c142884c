/** The filters of the security log: how the address keeps them, and the query that is sent to the server. */

import { parseDate, toZoned } from "@internationalized/date";
import { and, equals, sortBy } from "../api/cql.ts";
import { endOfDay } from "../loans/override.tsx";
import { isDay } from "../parts/day.ts";

export const TEXTS = ["user", "address"] as const;
export const DAYS = ["from", "to"] as const;
export const FILTERS = [...TEXTS, ...DAYS, "event"] as const;

export type SecurityLogFilters = Record<(typeof FILTERS)[number], string>;

export function readFilters(get: (name: string) => string): SecurityLogFilters {
  const wanted = Object.fromEntries(FILTERS.map((name) => [name, get(name).trim()])) as SecurityLogFilters;
  for (const day of DAYS) if (!isDay(wanted[day])) wanted[day] = "";
  return wanted;
}

/** The CQL query, newest events first. Days are days of the library's time zone. */
export function filtersToCql({ user, address, from, to, event }: SecurityLogFilters, timeZone: string): string {
  const begin = from && toZoned(parseDate(from), timeZone).toAbsoluteString();
  const parts = [
    user && equals("username", user),
    address && equals("address", address),
    event && equals("event", event),
    begin && `date>="${begin}"`,
    to && `date<="${endOfDay(to, timeZone)}"`,
  ].filter(Boolean);
  return sortBy(parts.length > 0 ? and(...parts) : "cql.allRecords=1", "date/sort.descending");
}
