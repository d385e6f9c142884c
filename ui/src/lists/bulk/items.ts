/** Changes of items, and undoing them if nobody else has changed the item since. */

import { ask } from "../../api/http.ts";
import type { Item } from "../../api/inventory.ts";

/** A change of one or more members of an item. null removes a temporary location or loan type. */
export interface ItemChange {
  permanentLocation?: { id: string } | null;
  temporaryLocation?: { id: string } | null;
  permanentLoanType?: { id: string };
  temporaryLoanType?: { id: string } | null;
  status?: string;
  notes?: NonNullable<Item["notes"]>;
  /** A note to add to the item's notes. */
  note?: { itemNoteTypeId: string; note: string; staffOnly: boolean };
}

/** The item statuses that FOLIO can set by a call, with the end of its path (`mark-missing`). */
export const MARK_PATHS: Record<string, string> = {
  Missing: "missing",
  "Long missing": "long-missing",
  Withdrawn: "withdrawn",
  "In process": "in-process",
  "In process (non-requestable)": "in-process-non-requestable",
  "Intellectual item": "intellectual-item",
  Restricted: "restricted",
  Unavailable: "unavailable",
  Unknown: "unknown",
};

/** What undoing needs: the former values of the changed members, and the item's version after the change. */
export interface ItemUndo {
  before: ItemChange;
  version: number;
}

/** Thrown if an item cannot be undone, because somebody has changed it since. */
export class ChangedSince extends Error {}

const itemPath = (id: string) => `/inventory/items/${id}`;

export async function changeItem(id: string, change: ItemChange): Promise<ItemUndo> {
  const stored = await ask<Item>(itemPath(id));
  const before = currentValues(stored, change);
  if (change.status !== undefined) await ask(`${itemPath(id)}/mark-${MARK_PATHS[change.status]}`, { method: "POST" });
  else await ask(itemPath(id), { method: "PUT", body: applyChange(stored, change) });
  const { _version = 0 } = await ask<Item>(itemPath(id));
  return { before, version: _version };
}

export async function undoItem(id: string, { before, version }: ItemUndo): Promise<void> {
  const stored = await ask<Item>(itemPath(id));
  if (stored._version !== version) throw new ChangedSince();
  const body = applyChange(stored, before);
  await ask(itemPath(id), { method: "PUT", body });
}

/** The values that an item has now of the members that a change concerns. */
export function currentValues(stored: Item, change: ItemChange): ItemChange {
  const of = (place: { id?: string } | undefined) => (place?.id === undefined ? null : { id: place.id });
  return {
    ...("permanentLocation" in change && { permanentLocation: of(stored.permanentLocation) }),
    ...("temporaryLocation" in change && { temporaryLocation: of(stored.temporaryLocation) }),
    ...("temporaryLoanType" in change && { temporaryLoanType: of(stored.temporaryLoanType) }),
    ...("permanentLoanType" in change && { permanentLoanType: { id: stored.permanentLoanType.id } }),
    ...(change.status !== undefined && { status: stored.status.name }),
    ...((change.note || change.notes) && { notes: stored.notes ?? [] }),
  };
}

/** The whole item record with the change, as it is sent to the server. */
export function applyChange(stored: Item, { note, status, notes, ...places }: ItemChange): object {
  const body: Record<string, unknown> = { ...stored, ...places };
  if (notes) body.notes = notes;
  if (note) body.notes = [...(stored.notes ?? []), note];
  if (status !== undefined) body.status = { name: status };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** The number of notes of an item with the same type and text. */
export function countSameNotes(
  { notes = [] }: Item,
  { itemNoteTypeId, note }: NonNullable<ItemChange["note"]>,
): number {
  return notes.filter((one) => one.note === note && one.itemNoteTypeId === itemNoteTypeId).length;
}

/**
 * Whether an item has the values of a change. A note is added if the item has more notes of the same type and text than
 * the `sameNotes` that it had before the change.
 */
export function isChangeApplied(stored: Item, { note, ...change }: ItemChange, sameNotes = 0): boolean {
  if (note) return countSameNotes(stored, note) > sameNotes;
  return (
    JSON.stringify(currentValues(stored, change)) ===
    JSON.stringify(currentValues(applyChange(stored, change) as Item, change))
  );
}
