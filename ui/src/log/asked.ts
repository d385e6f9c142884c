/** The filters of the circulation log: how the address keeps them, and the query that is sent to the server. */

import { parseDate, toZoned } from "@internationalized/date";
import { and, equals, quoteWithWildcards, sortBy } from "../api/cql.ts";
import { endOfDay } from "../loans/override.tsx";
import { isDay } from "../parts/day.ts";

export const TEXTS = ["patron", "item", "description"] as const;
export const DAYS = ["from", "to"] as const;
export const CHOICES = ["object", "action", "at"] as const;
export const FILTERS = [...TEXTS, ...DAYS, ...CHOICES] as const;

export type LogFilters = Record<(typeof FILTERS)[number], string>;

export function readFilters(get: (name: string) => string): LogFilters {
  const wanted = Object.fromEntries(FILTERS.map((name) => [name, get(name).trim()])) as LogFilters;
  for (const day of DAYS) if (!isDay(wanted[day])) wanted[day] = "";
  return wanted;
}

/**
 * The CQL query, newest records first. `patronId` is the patron who has the barcode now, so that records under earlier
 * barcodes are found, too. Days are days of the library's time zone.
 */
export function filtersToCql(
  { patron, item, description, from, to, object, action, at }: LogFilters,
  patronId: string | undefined,
  timeZone: string,
): string {
  const begin = from && toZoned(parseDate(from), timeZone).toAbsoluteString();
  const parts = [
    patron && (patronId ? equals("linkToIds.userId", patronId) : equals("userBarcode", patron)),
    item && `items=${quoteWithWildcards(item)}`,
    description && `description==${quoteWithWildcards(`*${description}*`)}`,
    begin && `date>="${begin}"`,
    to && `date<="${endOfDay(to, timeZone)}"`,
    object && equals("object", object),
    action && equals("action", action),
    at && equals("servicePointId", at),
  ].filter(Boolean);
  return sortBy(parts.length > 0 ? and(...parts) : "cql.allRecords=1", "date/sort.descending");
}
