/** Which rows are ticked, by their keys. */

export interface Selection {
  keys: ReadonlySet<string>;
  /** Where a range begins: the row that was ticked last. */
  anchor: string | undefined;
}

export const NOTHING: Selection = { keys: new Set(), anchor: undefined };

export function toggled({ keys }: Selection, key: string): Selection {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return { keys: next, anchor: key };
}

/** With all rows from the one that was ticked last to this one. */
export function extended({ keys, anchor }: Selection, key: string, order: readonly string[]): Selection {
  const from = order.indexOf(anchor ?? key);
  const to = order.indexOf(key);
  if (from === -1 || to === -1) return toggled({ keys, anchor }, key);
  const range = order.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { keys: new Set([...keys, ...range]), anchor: anchor ?? key };
}

/** What is not in the table any more is not ticked any more. */
export function present(selection: Selection, order: readonly string[]): Selection {
  if (selection.keys.size === 0) return selection;
  const keys = new Set(order.filter((key) => selection.keys.has(key)));
  return keys.size === selection.keys.size ? selection : { ...selection, keys };
}
