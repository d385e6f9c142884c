/** Which rows are ticked, by their keys. */

export interface Selection {
  keys: ReadonlySet<string>;
  /** The row that was ticked last, where a range begins. */
  anchor: string | undefined;
}

export const EMPTY_SELECTION: Selection = { keys: new Set(), anchor: undefined };

export function toggleRow({ keys }: Selection, key: string): Selection {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return { keys: next, anchor: key };
}

/** Ticks all rows from the one that was ticked last to this one, too. */
export function extendToRow({ keys, anchor }: Selection, key: string, order: readonly string[]): Selection {
  const from = order.indexOf(anchor ?? key);
  const to = order.indexOf(key);
  if (from === -1 || to === -1) return toggleRow({ keys, anchor }, key);
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { keys: new Set([...keys, ...range]), anchor: anchor ?? key };
}

/** Removes the ticks of rows that are no longer in the table. */
export function withoutMissingRows(selection: Selection, order: readonly string[]): Selection {
  if (selection.keys.size === 0) return selection;
  const keys = new Set(order.filter((key) => selection.keys.has(key)));
  return keys.size === selection.keys.size ? selection : { ...selection, keys };
}
