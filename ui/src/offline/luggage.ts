/**
 * The data that the desk needs without a connection: the due dates to expect by patron group and kind of item, and the
 * kind of each barcode. Kept in the browser's cache beside the files of the desk; none of it is about patrons.
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
const CHECK_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;

const DUE_DATES = { path: "/octavo/offline/due-dates", maxAgeMs: HOUR_MS };
const ITEMS = { path: "/octavo/offline/items", maxAgeMs: 12 * HOUR_MS };
type OfflinePart = typeof DUE_DATES;

const cacheKey = ({ path }: OfflinePart, servicePointId: string) => `${path}?servicePointId=${servicePointId}`;

/** Loads the offline data now and from time to time, until the returned function is called. */
export function keepOfflineDataFresh(servicePointId: string): () => void {
  const look = () =>
    void Promise.all([DUE_DATES, ITEMS].map((part) => storePart(part, servicePointId))).catch(() => {});
  look();
  const timer = setInterval(look, CHECK_MS);
  return () => clearInterval(timer);
}

/** Deletes the offline data when somebody signs out. */
export async function deleteOfflineData(): Promise<void> {
  await globalThis.caches?.delete(CACHE);
}

async function storePart(part: OfflinePart, servicePointId: string): Promise<void> {
  const luggage = await caches.open(CACHE);
  const name = cacheKey(part, servicePointId);
  const packed = (await luggage.match(name))?.headers.get("date");
  if (packed && Date.now() - Date.parse(packed) < part.maxAgeMs) return;
  const text = JSON.stringify(await ask(part.path, { query: { servicePointId } }));
  await luggage.put(name, new Response(text, { headers: { date: new Date().toUTCString() } }));
  if (part === ITEMS) itemIndex = undefined;
}

async function readPart<T>(part: OfflinePart, servicePointId: string): Promise<T | undefined> {
  const luggage = await globalThis.caches?.open(CACHE);
  return (await luggage?.match(cacheKey(part, servicePointId)))?.json();
}

export const dueDates = (servicePointId: string) => readPart<OfflineDueDates>(DUE_DATES, servicePointId);

interface ItemIndex {
  of: string;
  kinds: Map<string, string>;
  shapes: Set<string>;
}

let itemIndex: ItemIndex | undefined;

/** The barcodes of items, read from the cache once after each download. */
async function loadItemIndex(servicePointId: string): Promise<ItemIndex> {
  if (itemIndex?.of === servicePointId) return itemIndex;
  const known = await readPart<OfflineItems>(ITEMS, servicePointId);
  const kinds = new Map(known?.kinds.flatMap((kind) => kind.barcodes.map((barcode) => [barcode, kindKey(kind)])));
  const read = { of: servicePointId, kinds, shapes: new Set([...kinds.keys()].map(barcodeShape)) };
  // A list that was not in the cache yet is looked for again.
  if (known) itemIndex = read;
  return read;
}

/** The kind of an item as `kindKey` writes it. */
export async function itemKind(barcode: string, servicePointId: string): Promise<string | undefined> {
  return (await loadItemIndex(servicePointId)).kinds.get(barcode.toLowerCase());
}

/** The shapes of the items' barcodes. */
export async function itemBarcodeShapes(servicePointId: string): Promise<Set<string>> {
  return (await loadItemIndex(servicePointId)).shapes;
}

/** The length and the first character of a barcode. */
export function barcodeShape(barcode: string): string {
  return `${barcode.length} ${barcode.slice(0, 1).toLowerCase()}`;
}

export function kindKey({ materialTypeId, loanTypeId, locationId }: Kind): string {
  return `${materialTypeId} ${loanTypeId} ${locationId}`;
}
