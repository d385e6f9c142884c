/** Items by their ids or their barcodes, some at a time. */

import { isAnyOf } from "../../api/cql.ts";
import { ask } from "../../api/http.ts";
import type { Item } from "../../api/inventory.ts";
import type { Loading } from "../loading.ts";

/** An address has room for so many. */
const AT_ONCE = 50;

export async function itemsBy(
  field: "id" | "barcode",
  values: readonly string[],
  { signal, arrived }: Partial<Loading> = {},
): Promise<Item[]> {
  const found: Item[] = [];
  for (let from = 0; from < values.length; from += AT_ONCE) {
    const some = values.slice(from, from + AT_ONCE);
    const query = { query: isAnyOf(field, some), limit: AT_ONCE };
    const { items } = await ask<{ items: Item[] }>("/inventory/items", { query, ...(signal && { signal }) });
    found.push(...items);
    arrived?.({ done: Math.min(values.length, from + AT_ONCE), of: values.length });
  }
  return found;
}

/** Items by their barcodes, and which barcodes no item has. */
export async function byBarcodes(barcodes: readonly string[]): Promise<{ items: Item[]; unknown: string[] }> {
  const items = await itemsBy("barcode", barcodes);
  const known = new Set(items.map(({ barcode }) => barcode?.toLowerCase()));
  return { items, unknown: barcodes.filter((barcode) => !known.has(barcode.toLowerCase())) };
}
