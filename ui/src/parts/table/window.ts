/**
 * Computes which rows of a long table are in the page. All rows have the same height, so nothing has to be measured.
 */

interface ScrollView {
  /** The scrolled distance and the visible height of the table, in pixels. */
  top: number;
  height: number;
  rowHeight: number;
  count: number;
}

/**
 * The number of rows above and below the visible ones that are in the page, too, so that scrolling finds them there.
 */
const SPARE_ROWS = 12;
/** The table is rendered again after so many rows of scrolling, not after each pixel. */
const ROWS_PER_REDRAW = 4;

export function visibleRange({ top, height, rowHeight, count }: ScrollView): { first: number; end: number } {
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE_ROWS);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + SPARE_ROWS);
  return { first: Math.min(first, end), end };
}

/** The scrolled distance, rounded down so that it changes only when the table has to be rendered again. */
export const roundScrollTop = (top: number, rowHeight: number) =>
  Math.floor(top / rowHeight / ROWS_PER_REDRAW) * ROWS_PER_REDRAW * rowHeight;

/** The distance to scroll to so that a row is visible; the current one if it is visible already. */
export function scrollTopFor(index: number, { top, height, rowHeight }: Omit<ScrollView, "count">): number {
  const start = index * rowHeight;
  if (start < top) return start;
  return Math.max(top, start + rowHeight - height);
}
