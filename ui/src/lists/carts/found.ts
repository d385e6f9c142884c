/** Loads items by their ids or barcodes, in batches. */

import { isAnyOf } from "../../api/cql.ts";
import { ask } from "../../api/http.ts";
import type { Item } from "../../api/inventory.ts";
import type { LoadOptions } from "../loading.ts";

/** Values in one query: the length of an address is limited. */
const BATCH_SIZE = 50;

export async function loadItemsBy(
  field: "id" | "barcode",
  values: readonly string[],
  { signal, onProgress }: Partial<LoadOptions> = {},
): Promise<Item[]> {
  const found: Item[] = [];
  for (let from = 0; from < values.length; from += BATCH_SIZE) {
    const some = values.slice(from, from + BATCH_SIZE);
    const query = { query: isAnyOf(field, some), limit: BATCH_SIZE };
    const { items } = await ask<{ items: Item[] }>("/inventory/items", { query, ...(signal && { signal }) });
    found.push(...items);
    onProgress?.({ done: Math.min(values.length, from + BATCH_SIZE), total: values.length });
  }
  return found;
}

/** Items by their barcodes, and the barcodes that no item has. */
export async function loadItemsByBarcodes(barcodes: readonly string[]): Promise<{ items: Item[]; unknown: string[] }> {
  const items = await loadItemsBy("barcode", barcodes);
  const known = new Set(items.map(({ barcode }) => barcode?.toLowerCase()));
  return { items, unknown: barcodes.filter((barcode) => !known.has(barcode.toLowerCase())) };
}
