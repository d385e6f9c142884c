/** Where in a list that is leafed through one is, and what is asked of mod-search's lists for that. */

import { all, any, quoted } from "../api/cql.ts";

/** Around what was typed, or behind or before what stands at the edge of another page. */
export interface Place {
  from: string;
  after: string;
  before: string;
}

/** Wherever one was in the list, one is not there any more. */
export const PLACES = ["after", "before"];

export const placeOf = (get: (name: string) => string): Place => ({
  from: get("from"),
  after: get("after"),
  before: get("before"),
});

export const LINES = 30;
/** So many lines before what was typed, for one to see where one is. */
const LINES_BEFORE = 5;
/** Stands before every letter and digit: the server has no line for a place that is blank. */
const FIRST = "!";

/** `field` is what the list is ordered by, `key` what `prev` and `next` of an answer are. */
export function around(
  { from, after, before }: Place,
  field: string,
  { key = field, filters = [] }: { key?: string; filters?: readonly string[] } = {},
): Record<string, string | number> {
  if (after) return { query: all(`${key}>${quoted(after)}`, ...filters), limit: LINES };
  if (before) return { query: all(`${key}<${quoted(before)}`, ...filters), limit: LINES };
  if (!from) return { query: all(`${field}>=${quoted(FIRST)}`, ...filters), limit: LINES };
  const anchor = quoted(from);
  const ranges = any(`${field}>=${anchor}`, `${field}<${anchor}`);
  return { query: all(ranges, ...filters), limit: LINES, precedingRecordsCount: LINES_BEFORE };
}
