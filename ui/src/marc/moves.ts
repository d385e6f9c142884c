/** What keys do to the rows. Each answers the new draft and the row that has the focus then. */

import { BLANK, type Draft, type Items, isControl, isFixed, type Row } from "./record.ts";

export interface Moved {
  draft: Draft;
  /** The key of a row. */
  focus?: number;
}

const indexOf = ({ rows }: Draft, key: number) => rows.findIndex((row) => row.key === key);

export function added(draft: Draft, below: number | undefined, row: Partial<Row> = {}): Moved {
  const at = below === undefined ? 0 : indexOf(draft, below) + 1;
  const fresh = { tag: "", ind1: BLANK, ind2: BLANK, text: "$a ", ...row, key: draft.nextKey };
  return {
    draft: { ...draft, rows: draft.rows.toSpliced(at, 0, fresh), nextKey: draft.nextKey + 1 },
    focus: fresh.key,
  };
}

export function changed(draft: Draft, key: number, change: Partial<Row>): Draft {
  return { ...draft, rows: draft.rows.map((row) => (row.key === key ? { ...row, ...change } : row)) };
}

/** A field that gets another tag gets what fields of that tag have: positions, or a text without subfields. */
export function retagged(draft: Draft, key: number, tag: string, freshItems: (tag: string) => Items): Draft {
  const retag = (row: Row): Row => {
    const { items, ...rest } = row;
    if (isFixed(tag)) return { ...rest, tag, text: "", items: row.tag === tag && items ? items : freshItems(tag) };
    const isBare = row.text.trim() === "" || row.text.trim() === "$a";
    if (!isBare || tag.length < 3) return { ...rest, tag };
    return { ...rest, tag, text: isControl(tag) ? "" : "$a " };
  };
  return { ...draft, rows: draft.rows.map((row) => (row.key === key ? retag(row) : row)) };
}

/** The focus goes to the row that has taken its place, or to the one before. */
export function removed(draft: Draft, key: number): Moved {
  const at = indexOf(draft, key);
  const row = draft.rows[at];
  if (row === undefined) return { draft };
  const rows = draft.rows.toSpliced(at, 1);
  const next = rows[at] ?? rows[at - 1];
  return {
    draft: { ...draft, rows, removed: [...draft.removed, { row, at }] },
    ...(next && { focus: next.key }),
  };
}

export function putBack(draft: Draft): Moved {
  const last = draft.removed.at(-1);
  if (last === undefined) return { draft };
  const rows = draft.rows.toSpliced(Math.min(last.at, draft.rows.length), 0, last.row);
  return { draft: { ...draft, rows, removed: draft.removed.slice(0, -1) }, focus: last.row.key };
}

/** `by`: -1 up, 1 down. At the ends it stays. */
export function moved(draft: Draft, key: number, by: -1 | 1): Moved {
  const at = indexOf(draft, key);
  const row = draft.rows[at];
  const to = at + by;
  if (row === undefined || to < 0 || to >= draft.rows.length) return { draft, focus: key };
  return { draft: { ...draft, rows: draft.rows.toSpliced(at, 1).toSpliced(to, 0, row) }, focus: key };
}

export type Act = "add" | "remove" | "up" | "down" | "save" | "keys" | "link" | "back";

interface Pressed {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  metaKey: boolean;
}

/** What a key asks for, or nothing that the editor does. */
export function meant({ key, ctrlKey, altKey, shiftKey, metaKey }: Pressed): Act | undefined {
  const control = ctrlKey || metaKey;
  if (key === "F1") return "keys";
  if (key === "F9") return "link";
  if (control && !altKey && !shiftKey) {
    if (key.toLowerCase() === "s") return "save";
    if (key === "Delete") return "remove";
  }
  if (control && shiftKey && !altKey && key === "Delete") return "back";
  if (altKey && !control && !shiftKey) {
    if (key === "ArrowUp") return "up";
    if (key === "ArrowDown") return "down";
  }
  if (key === "Enter" && !control && !altKey && !shiftKey) return "add";
  return undefined;
}
