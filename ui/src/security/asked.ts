/** Which events of the security log are wanted: as the address keeps it, and as the server is asked. */

import { parseDate, toZoned } from "@internationalized/date";
import { all, is, sorted } from "../api/cql.ts";
import { endOfDay } from "../loans/override.tsx";

export const TEXTS = ["user", "address"] as const;
export const DAYS = ["from", "to"] as const;
export const FILTERS = [...TEXTS, ...DAYS, "event"] as const;

export type Asked = Record<(typeof FILTERS)[number], string>;

export function asked(get: (name: string) => string): Asked {
  const wanted = Object.fromEntries(FILTERS.map((name) => [name, get(name).trim()])) as Asked;
  for (const day of DAYS) if (!isDay(wanted[day])) wanted[day] = "";
  return wanted;
}

function isDay(text: string): boolean {
  try {
    return parseDate(text) !== undefined;
  } catch {
    // The address can be written by hand.
    return false;
  }
}

/** The newest first. Days are those of the library's time zone. */
export function query({ user, address, from, to, event }: Asked, timeZone: string): string {
  const begin = from && toZoned(parseDate(from), timeZone).toAbsoluteString();
  const parts = [
    user && is("username", user),
    address && is("address", address),
    event && is("event", event),
    begin && `date>="${begin}"`,
    to && `date<="${endOfDay(to, timeZone)}"`,
  ].filter(Boolean);
  return sorted(parts.length > 0 ? all(...parts) : "cql.allRecords=1", "date/sort.descending");
}
