/** Which rows of a long table stand in the page. All rows have one height, so this is arithmetic: nothing is measured. */

interface View {
  /** How far it is scrolled, and how much of it is seen, in pixels. */
  top: number;
  height: number;
  rowHeight: number;
  count: number;
}

/** Rows above and below those that are seen, so that a turn of the wheel finds them there. */
const SPARE = 12;
/** The page is drawn anew after so many rows, not after each pixel. */
const STEP = 4;

export function windowOf({ top, height, rowHeight, count }: View): { first: number; end: number } {
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + SPARE);
  return { first: Math.min(first, end), end };
}

/** The place of the scroll bar, as coarse as a redrawing needs it. */
export const step = (top: number, rowHeight: number) => Math.floor(top / rowHeight / STEP) * STEP * rowHeight;

/** Where to scroll so that a row is seen; where one is, if it is seen already. */
export function scrolledTo(index: number, { top, height, rowHeight }: Omit<View, "count">): number {
  const start = index * rowHeight;
  if (start < top) return start;
  return Math.max(top, start + rowHeight - height);
}
