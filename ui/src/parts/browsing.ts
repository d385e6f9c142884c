/** The position in a browse list, and the query that mod-search needs for it. */

import { and, or, quote } from "../api/cql.ts";

/** The list is shown around `from` (what was typed), or after or before the entry at the edge of another page. */
export interface ListPosition {
  from: string;
  after: string;
  before: string;
}

/** The parameters that are removed from the address when somebody types a new starting point. */
export const POSITION_PARAMETERS = ["after", "before"];

export const readListPosition = (get: (name: string) => string): ListPosition => ({
  from: get("from"),
  after: get("after"),
  before: get("before"),
});

export const LINES_PER_PAGE = 30;
/** The number of entries that are shown before what was typed, as context. */
const LINES_BEFORE = 5;
/** Sorts before every letter and digit: the server has no entry for an empty starting point. */
const LOWEST_KEY = "!";

/**
 * `field` is the member that the list is ordered by; `key` is the member that `prev` and `next` of an answer contain.
 */
export function browseParameters(
  { from, after, before }: ListPosition,
  field: string,
  { key = field, filters = [] }: { key?: string; filters?: readonly string[] } = {},
): Record<string, string | number> {
  if (after) return { query: and(`${key}>${quote(after)}`, ...filters), limit: LINES_PER_PAGE };
  if (before) return { query: and(`${key}<${quote(before)}`, ...filters), limit: LINES_PER_PAGE };
  if (!from) return { query: and(`${field}>=${quote(LOWEST_KEY)}`, ...filters), limit: LINES_PER_PAGE };
  const anchor = quote(from);
  const ranges = or(`${field}>=${anchor}`, `${field}<${anchor}`);
  return { query: and(ranges, ...filters), limit: LINES_PER_PAGE, precedingRecordsCount: LINES_BEFORE };
}
