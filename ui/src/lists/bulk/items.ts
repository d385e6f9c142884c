/** Changes of copies, and how each is put back if nobody has changed the copy since. */

import { ask } from "../../api/http.ts";
import type { Item } from "../../api/inventory.ts";

/** One or more of them; null takes a temporary location or loan type away. */
export interface ItemChange {
  permanentLocation?: { id: string } | null;
  temporaryLocation?: { id: string } | null;
  permanentLoanType?: { id: string };
  temporaryLoanType?: { id: string } | null;
  status?: string;
  notes?: NonNullable<Item["notes"]>;
  /** Added to those that are there. */
  note?: { itemNoteTypeId: string; note: string; staffOnly: boolean };
}

/** Marks that FOLIO has a call for, by the status that they set. */
export const MARKS: Record<string, string> = {
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

/** What stood in the copy before, and its version afterwards. */
export interface Undone {
  before: ItemChange;
  version: number;
}

/** Somebody else has changed a copy that was to be put back. */
export class ChangedSince extends Error {}

const path = (id: string) => `/inventory/items/${id}`;

export async function changeItem(id: string, change: ItemChange): Promise<Undone> {
  const stored = await ask<Item>(path(id));
  const before = beforeOf(stored, change);
  if (change.status !== undefined) await ask(`${path(id)}/mark-${MARKS[change.status]}`, { method: "POST" });
  else await ask(path(id), { method: "PUT", body: withChange(stored, change) });
  const { _version = 0 } = await ask<Item>(path(id));
  return { before, version: _version };
}

export async function undoItem(id: string, { before, version }: Undone): Promise<void> {
  const stored = await ask<Item>(path(id));
  if (stored._version !== version) throw new ChangedSince();
  const body = withChange(stored, before);
  await ask(path(id), { method: "PUT", body });
}

/** The same members as they stand in the copy now. */
export function beforeOf(stored: Item, change: ItemChange): ItemChange {
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

/** The whole record to be sent, as it stands with the change. */
export function withChange(stored: Item, { note, status, notes, ...places }: ItemChange): object {
  const body: Record<string, unknown> = { ...stored, ...places };
  if (notes) body.notes = notes;
  if (note) body.notes = [...(stored.notes ?? []), note];
  if (status !== undefined) body.status = { name: status };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

export function isAsWanted(stored: Item, { note, ...change }: ItemChange): boolean {
  if (note)
    return stored.notes?.some((one) => one.note === note.note && one.itemNoteTypeId === note.itemNoteTypeId) ?? false;
  return (
    JSON.stringify(beforeOf(stored, change)) === JSON.stringify(beforeOf(withChange(stored, change) as Item, change))
  );
}
