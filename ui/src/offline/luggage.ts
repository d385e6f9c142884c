/**
 * What the desk takes along for the time without a connection: which due dates to expect of whom for what, and what kind of thing
 * has which barcode. Kept in the browser beside the desk's own files; nothing in it is about patrons.
 */

import { ask } from "../api/http.ts";
import type { OfflineDueDates, OfflineItems } from "../api/octavo.ts";

export type {
  OfflineDueDates as DueDates,
  OfflineGroup as Group,
  OfflineSpan as Span,
} from "../api/octavo.ts";

type Kind = OfflineDueDates["kinds"][number];

const CACHE = "octavo-luggage";
const LOOK_MS = 10 * 60_000;
const HOUR = 3_600_000;

const DUE_DATES = { path: "/octavo/offline/due-dates", after: HOUR };
const ITEMS = { path: "/octavo/offline/items", after: 12 * HOUR };
type Part = typeof DUE_DATES;

const nameOf = ({ path }: Part, servicePointId: string) => `${path}?servicePointId=${servicePointId}`;

/** Packs now and from time to time, until the service point changes. */
export function keepPacked(servicePointId: string): () => void {
  const look = () => void Promise.all([DUE_DATES, ITEMS].map((part) => pack(part, servicePointId))).catch(() => {});
  look();
  const timer = setInterval(look, LOOK_MS);
  return () => clearInterval(timer);
}

/** For whoever signs out, and leaves the browser to somebody else's library. */
export async function unpackAll(): Promise<void> {
  await globalThis.caches?.delete(CACHE);
}

async function pack(part: Part, servicePointId: string): Promise<void> {
  const luggage = await caches.open(CACHE);
  const name = nameOf(part, servicePointId);
  const packed = (await luggage.match(name))?.headers.get("date");
  if (packed && Date.now() - Date.parse(packed) < part.after) return;
  const text = JSON.stringify(await ask(part.path, { query: { servicePointId } }));
  await luggage.put(name, new Response(text, { headers: { date: new Date().toUTCString() } }));
  if (part === ITEMS) list = undefined;
}

async function packed<T>(part: Part, servicePointId: string): Promise<T | undefined> {
  const luggage = await globalThis.caches?.open(CACHE);
  return (await luggage?.match(nameOf(part, servicePointId)))?.json();
}

export const dueDates = (servicePointId: string) => packed<OfflineDueDates>(DUE_DATES, servicePointId);

interface List {
  of: string;
  kinds: Map<string, string>;
  shapes: Set<string>;
}

let list: List | undefined;

/** The items' barcodes, read from the cache once after each packing and then at hand. */
async function listOf(servicePointId: string): Promise<List> {
  if (list?.of === servicePointId) return list;
  const known = await packed<OfflineItems>(ITEMS, servicePointId);
  const kinds = new Map(known?.kinds.flatMap((kind) => kind.barcodes.map((barcode) => [barcode, keyOf(kind)])));
  const read = { of: servicePointId, kinds, shapes: new Set([...kinds.keys()].map(shapeOf)) };
  // One that has not come yet is looked for again.
  if (known) list = read;
  return read;
}

/** Of which kind the item is, in the words of `keyOf`. */
export async function kindOf(barcode: string, servicePointId: string): Promise<string | undefined> {
  return (await listOf(servicePointId)).kinds.get(barcode.toLowerCase());
}

/** What the items' barcodes look like. */
export async function shapesOfItems(servicePointId: string): Promise<Set<string>> {
  return (await listOf(servicePointId)).shapes;
}

/** How long a barcode is, and with which sign it begins. */
export function shapeOf(barcode: string): string {
  return `${barcode.length} ${barcode.slice(0, 1).toLowerCase()}`;
}

export function keyOf({ materialTypeId, loanTypeId, locationId }: Kind): string {
  return `${materialTypeId} ${loanTypeId} ${locationId}`;
}
