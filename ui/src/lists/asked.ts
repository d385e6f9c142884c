/** The filters of a list, as the address of the page keeps them. */

import { parseDate, toZoned } from "@internationalized/date";
import { endOfDay } from "../loans/override.tsx";
import { isDay } from "../parts/day.ts";

export interface ListFilterValues {
  /** The ids of a service point, a location and a patron group; an empty text is no filter. */
  at: string;
  location: string;
  group: string;
  /** The request type; the status of requests, or of lost items. */
  type: string;
  status: string;
  /** Days (2026-11-22): requests placed from `from` to `to`, and wanted until `ends` at most. See `withInstants`. */
  from: string;
  to: string;
  ends: string;
  tag: string;
  /** Only items that have been in transit for at least so many days. */
  days: number;
}

export const DATE_FILTERS = ["from", "to", "ends"] as const;
export type DateFilter = (typeof DATE_FILTERS)[number];

export const FILTERS = ["at", "location", "group", "type", "status", "tag", ...DATE_FILTERS, "days"] as const;
export type Filter = (typeof FILTERS)[number];

export const DEFAULT_TRANSIT_DAYS = 5;

export function filtersFromAddress(get: (name: string) => string): ListFilterValues {
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
    days: get("days") !== "" && Number.isInteger(days) && days >= 0 ? days : DEFAULT_TRANSIT_DAYS,
  };
}

/** Days become instants in the library's time zone: `from` the first moment of its day, the others the last. */
export function withInstants(asked: ListFilterValues, timeZone: string): ListFilterValues {
  const last = (day: string) => day && endOfDay(day, timeZone);
  return {
    ...asked,
    from: asked.from && toZoned(parseDate(asked.from), timeZone).toAbsoluteString(),
    to: last(asked.to),
    ends: last(asked.ends),
  };
}
