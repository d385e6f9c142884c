/** Titles, holdings and items that tests create for themselves. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Library } from "./library.ts";

export interface Item {
  id: string;
  barcode: string;
  volume?: string;
  copyNumber?: string;
  holdingsRecordId: string;
  materialType: { name: string };
}

export async function loadItems(library: Library, query: string): Promise<Item[]> {
  const path = `/inventory/items?limit=1000&query=${encodeURIComponent(query)}`;
  return (await library.call<{ items: Item[] }>(path)).items;
}

export interface NamedRecord {
  id: string;
  name: string;
}

export async function findIdByName(library: Library, path: string, list: string, name: string): Promise<string> {
  const query = encodeURIComponent(`name=="${name}"`);
  const all = await library.call<Record<string, NamedRecord[]>>(`${path}?limit=200&query=${query}`);
  const found = all[list]?.find((one) => one.name === name);
  assert.ok(found, name);
  return found.id;
}

export const findLocationId = (library: Library, name: string) =>
  findIdByName(library, "/locations", "locations", name);

/** Creates a title without holdings, for one test. */
export async function createTitle(library: Library, title: string, more: object = {}): Promise<string> {
  const instanceTypeId = await findIdByName(library, "/instance-types", "instanceTypes", "text");
  const id = randomUUID();
  await library.call("/inventory/instances", { id, title, source: "FOLIO", instanceTypeId, ...more });
  return id;
}

export async function createHoldings(library: Library, instanceId: string, place: string, more: object = {}) {
  const id = randomUUID();
  const permanentLocationId = await findLocationId(library, place);
  await library.call("/holdings-storage/holdings", { id, instanceId, permanentLocationId, ...more });
  return id;
}

export async function createItem(library: Library, holdingsRecordId: string, barcode: string, more: object = {}) {
  const id = randomUUID();
  const materialType = { id: await findIdByName(library, "/material-types", "mtypes", "book") };
  const { loantypes } = await library.call<{ loantypes: NamedRecord[] }>("/loan-types?limit=1");
  const body = { id, holdingsRecordId, barcode, materialType, permanentLoanType: { id: loantypes[0]?.id }, ...more };
  await library.call("/inventory/items", { status: { name: "Available" }, ...body });
  return id;
}

/**
 * A MARC 21 record (ISO 2709): `kind` has the type of record and the bibliographic level; `fields` are texts such as
 * `245 10$aTitle` and `001 number`.
 */
export function marcRecord(kind: string, ...fields: string[]): Buffer {
  const [field, record] = ["\x1e", "\x1d"];
  const texts = fields.map((text) => Buffer.from(`${text.slice(4).replaceAll("$", "\x1f")}${field}`));
  let start = 0;
  const directory = texts.map(({ length }, index) => {
    const entry = `${fields[index]?.slice(0, 3)}${String(length).padStart(4, "0")}${String(start).padStart(5, "0")}`;
    start += length;
    return entry;
  });
  const base = 24 + directory.length * 12 + 1;
  const digits = (number: number) => String(number).padStart(5, "0");
  const levels = kind.startsWith("z") ? "n  " : " a ";
  const leader = `${digits(base + start + 1)}n${kind} a22${digits(base)}${levels}4500`;
  return Buffer.concat([Buffer.from(leader + directory.join("") + field), ...texts, Buffer.from(record)]);
}
