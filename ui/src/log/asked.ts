/** Which records of the circulation log are wanted: as the address keeps it, and as the server is asked. */

import { parseDate, toZoned } from "@internationalized/date";
import { all, is, masked, sorted } from "../api/cql.ts";
import { endOfDay } from "../loans/override.tsx";

export const TEXTS = ["patron", "item", "description"] as const;
export const DAYS = ["from", "to"] as const;
export const CHOICES = ["object", "action", "at"] as const;
export const FILTERS = [...TEXTS, ...DAYS, ...CHOICES] as const;

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

/** `patronId`: the patron who has the barcode now, also under earlier barcodes. The newest first. Days are those of the library's time zone. */
export function query(
  { patron, item, description, from, to, object, action, at }: Asked,
  patronId: string | undefined,
  timeZone: string,
): string {
  const begin = from && toZoned(parseDate(from), timeZone).toAbsoluteString();
  const parts = [
    patron && (patronId ? is("linkToIds.userId", patronId) : is("userBarcode", patron)),
    item && `items=${masked(item)}`,
    description && `description==${masked(`*${description}*`)}`,
    begin && `date>="${begin}"`,
    to && `date<="${endOfDay(to, timeZone)}"`,
    object && is("object", object),
    action && is("action", action),
    at && is("servicePointId", at),
  ].filter(Boolean);
  return sorted(parts.length > 0 ? all(...parts) : "cql.allRecords=1", "date/sort.descending");
}
