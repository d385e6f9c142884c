/** Which list is wanted, and what of it: as the address keeps it. */

import { parseDate, toZoned } from "@internationalized/date";
import { endOfDay } from "../loans/override.tsx";

export interface Asked {
  /** The ids of a service point, a location, a patron group; empty where all are wanted. */
  at: string;
  location: string;
  group: string;
  /** The kind and the status of requests, the status of lost items. */
  type: string;
  status: string;
  /** Days between which a request was placed, and the last on which it is wanted; instants once they are asked of the server. */
  from: string;
  to: string;
  ends: string;
  tag: string;
  /** Items in transit for at least so long. */
  days: number;
}

export const DATE_FILTERS = ["from", "to", "ends"] as const;
export type DateFilter = (typeof DATE_FILTERS)[number];

export const FILTERS = ["at", "location", "group", "type", "status", "tag", ...DATE_FILTERS, "days"] as const;
export type Filter = (typeof FILTERS)[number];

export const USUAL_DAYS = 5;

export function asked(get: (name: string) => string): Asked {
  const days = Number(get("days"));
  const day = (name: DateFilter) => (isDay(get(name)) ? get(name) : "");
  return {
    at: get("at"),
    location: get("location"),
    group: get("group"),
    type: get("type"),
    status: get("status"),
    from: day("from"),
    to: day("to"),
    ends: day("ends"),
    tag: get("tag"),
    days: get("days") !== "" && Number.isInteger(days) && days >= 0 ? days : USUAL_DAYS,
  };
}

function isDay(text: string): boolean {
  try {
    return parseDate(text) !== undefined;
  } catch {
    // The address can be written by hand.
    return false;
  }
}

/** With the days as instants in the library's time zone: the first moment of the first day, the last of the others. */
export function inTime(asked: Asked, timeZone: string): Asked {
  const last = (day: string) => day && endOfDay(day, timeZone);
  return {
    ...asked,
    from: asked.from && toZoned(parseDate(asked.from), timeZone).toAbsoluteString(),
    to: last(asked.to),
    ends: last(asked.ends),
  };
}
