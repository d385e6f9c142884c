/**
 * What the desk takes along for the time without a connection: which due dates to expect of whom for what, and what kind of thing
 * has which barcode. Kept in the browser beside the desk's own files; nothing in it is about patrons.
 */

import { ask } from "../api/http.ts";

interface Kind {
  materialTypeId: string;
  loanTypeId: string;
  locationId: string;
}

export interface Group {
  id: string;
  name: string;
  /** For each kind the place of its policy; null where the rules decide nothing. */
  policies: (number | null)[];
}

/** Loan dates for which one answer holds. */
export interface Span {
  from: string;
  until: string;
  due?: string;
  afterSeconds?: number;
  notLent?: string;
}

export interface DueDates {
  from: string;
  kinds: Kind[];
  groups: Group[];
  policies: { name: string; spans: Span[] }[];
}

interface Shelf {
  kinds: (Kind & { barcodes: string[] })[];
}

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
}

async function packed<T>(part: Part, servicePointId: string): Promise<T | undefined> {
  const luggage = await globalThis.caches?.open(CACHE);
  return (await luggage?.match(nameOf(part, servicePointId)))?.json();
}

export const dueDates = (servicePointId: string) => packed<DueDates>(DUE_DATES, servicePointId);

let shelf: { of: string; kinds: Promise<Map<string, string>> } | undefined;

/** Of which kind the item is, in the words of `keyOf`. The list is read once and then at hand. */
export async function kindOf(barcode: string, servicePointId: string): Promise<string | undefined> {
  if (shelf?.of !== servicePointId) shelf = { of: servicePointId, kinds: kindsByBarcode(servicePointId) };
  return (await shelf.kinds).get(barcode.toLowerCase());
}

async function kindsByBarcode(servicePointId: string): Promise<Map<string, string>> {
  const known = await packed<Shelf>(ITEMS, servicePointId);
  return new Map(known?.kinds.flatMap((kind) => kind.barcodes.map((barcode) => [barcode, keyOf(kind)])));
}

export function keyOf({ materialTypeId, loanTypeId, locationId }: Kind): string {
  return `${materialTypeId} ${loanTypeId} ${locationId}`;
}
