/** Filters of finished import jobs: read from the address, and as a query for the server. */

import { parseDate, toZoned } from "@internationalized/date";
import { toQueryString } from "../api/imports.ts";
import { endOfDay } from "../loans/override.tsx";
import { isDay } from "../parts/day.ts";
import { ENDED_STATUSES } from "./progress.ts";

export const OUTCOMES = ["COMMITTED", "ERROR", "CANCELLED"] as const;
export const JOB_FILTERS = ["file", "profile", "user", "outcome", "from", "to"] as const;
export const SORTS = ["completed_date,desc", "completed_date,asc", "file_name,asc", "job_profile_name,asc"] as const;

export type JobFilters = Record<(typeof JOB_FILTERS)[number] | "sort", string>;

export function jobFiltersFromAddress(get: (name: string) => string): JobFilters {
  const wanted = Object.fromEntries([...JOB_FILTERS, "sort"].map((name) => [name, get(name).trim()])) as JobFilters;
  for (const day of ["from", "to"] as const) if (!isDay(wanted[day])) wanted[day] = "";
  if (!SORTS.some((sort) => sort === wanted.sort)) wanted.sort = SORTS[0];
  if (!OUTCOMES.some((outcome) => outcome === wanted.outcome)) wanted.outcome = "";
  return wanted;
}

/** Parent jobs of split files are left out, as their parts are listed. Days are in the library's time zone. */
export function finishedQuery(wanted: JobFilters, page: { limit: number; offset: number }, timeZone: string): string {
  const { file, profile, user, outcome, from, to, sort } = wanted;
  const digits = /^\d+$/.test(file);
  return toQueryString({
    statusAny: outcome ? [outcome] : ENDED_STATUSES,
    subordinationTypeNotAny: "COMPOSITE_PARENT",
    // A number is the number of a job, or stands in the name of its file.
    hrId: digits ? file : undefined,
    fileName: file ? `*${file.replaceAll("*", "")}*` : undefined,
    profileIdAny: profile,
    userId: user,
    completedAfter: from && toZoned(parseDate(from), timeZone).toAbsoluteString(),
    completedBefore: to && endOfDay(to, timeZone),
    sortBy: sort,
    ...page,
  });
}
