/** Changes of rows in the editor: add, remove, move. Each returns the new draft and the row to focus. */

import { BLANK, type Draft, type Items, isControl, isFixed, type Row } from "./record.ts";

export interface DraftWithFocus {
  draft: Draft;
  /** The key of a row. */
  focus?: number;
}

const rowIndex = ({ rows }: Draft, key: number) => rows.findIndex((row) => row.key === key);

export function addRow(draft: Draft, below: number | undefined, row: Partial<Row> = {}): DraftWithFocus {
  const at = below === undefined ? 0 : rowIndex(draft, below) + 1;
  const fresh = { tag: "", ind1: BLANK, ind2: BLANK, text: "$a ", ...row, key: draft.nextKey };
  return {
    draft: { ...draft, rows: draft.rows.toSpliced(at, 0, fresh), nextKey: draft.nextKey + 1 },
    focus: fresh.key,
  };
}

export function changeRow(draft: Draft, key: number, change: Partial<Row>): Draft {
  return { ...draft, rows: draft.rows.map((row) => (row.key === key ? { ...row, ...change } : row)) };
}

/** Changes the tag of a row. The field gets what its new tag needs: positions, or text without subfields. */
export function changeTag(draft: Draft, key: number, tag: string, freshItems: (tag: string) => Items): Draft {
  const retag = (row: Row): Row => {
    const { items, ...rest } = row;
    if (isFixed(tag)) return { ...rest, tag, text: "", items: row.tag === tag && items ? items : freshItems(tag) };
    const isBare = row.text.trim() === "" || row.text.trim() === "$a";
    if (!isBare || tag.length < 3) return { ...rest, tag };
    return { ...rest, tag, text: isControl(tag) ? "" : "$a " };
  };
  return { ...draft, rows: draft.rows.map((row) => (row.key === key ? retag(row) : row)) };
}

/** Removes a row. The focus goes to the next row, or to the one before. */
export function removeRow(draft: Draft, key: number): DraftWithFocus {
  const at = rowIndex(draft, key);
  const row = draft.rows[at];
  if (row === undefined) return { draft };
  const rows = draft.rows.toSpliced(at, 1);
  const next = rows[at] ?? rows[at - 1];
  return {
    draft: { ...draft, rows, removed: [...draft.removed, { row, at }] },
    ...(next && { focus: next.key }),
  };
}

export function restoreRow(draft: Draft): DraftWithFocus {
  const last = draft.removed.at(-1);
  if (last === undefined) return { draft };
  const rows = draft.rows.toSpliced(Math.min(last.at, draft.rows.length), 0, last.row);
  return { draft: { ...draft, rows, removed: draft.removed.slice(0, -1) }, focus: last.row.key };
}

/** `by`: -1 up, 1 down. At the ends it stays. */
export function moveRow(draft: Draft, key: number, by: -1 | 1): DraftWithFocus {
  const at = rowIndex(draft, key);
  const row = draft.rows[at];
  const to = at + by;
  if (row === undefined || to < 0 || to >= draft.rows.length) return { draft, focus: key };
  return { draft: { ...draft, rows: draft.rows.toSpliced(at, 1).toSpliced(to, 0, row) }, focus: key };
}

export type EditorAction = "add" | "remove" | "up" | "down" | "save" | "keys" | "link" | "back";

interface KeyPress {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  metaKey: boolean;
}

/** The action for a key; undefined if the editor has none. */
export function actionOfKey({ key, ctrlKey, altKey, shiftKey, metaKey }: KeyPress): EditorAction | undefined {
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
