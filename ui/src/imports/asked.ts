/** Which finished jobs are wanted: as the address keeps it, and as the server is asked. */

import { parseDate, toZoned } from "@internationalized/date";
import { parameters } from "../api/imports.ts";
import { endOfDay } from "../loans/override.tsx";
import { ENDED } from "./progress.ts";

export const OUTCOMES = ["COMMITTED", "ERROR", "CANCELLED"] as const;
export const FILTERS = ["file", "profile", "user", "outcome", "from", "to"] as const;
export const SORTS = ["completed_date,desc", "completed_date,asc", "file_name,asc", "job_profile_name,asc"] as const;

export type Asked = Record<(typeof FILTERS)[number] | "sort", string>;

export function asked(get: (name: string) => string): Asked {
  const wanted = Object.fromEntries([...FILTERS, "sort"].map((name) => [name, get(name).trim()])) as Asked;
  for (const day of ["from", "to"] as const) if (!isDay(wanted[day])) wanted[day] = "";
  if (!SORTS.some((sort) => sort === wanted.sort)) wanted.sort = SORTS[0];
  if (!OUTCOMES.some((outcome) => outcome === wanted.outcome)) wanted.outcome = "";
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

/** What stands for a file's whole is not listed beside its parts. Days are those of the library's time zone. */
export function finishedQuery(wanted: Asked, page: { limit: number; offset: number }, timeZone: string): string {
  const { file, profile, user, outcome, from, to, sort } = wanted;
  const digits = /^\d+$/.test(file);
  return parameters({
    statusAny: outcome ? [outcome] : ENDED,
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
