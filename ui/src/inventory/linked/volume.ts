/**
 * Bound-with volumes: an item that is in holdings of its own, and is also listed in the holdings of the other titles
 * that it contains.
 */

import { queryOptions } from "@tanstack/react-query";
import { isAnyOf } from "../../api/cql.ts";
import { ask } from "../../api/http.ts";
import type { Item } from "../../api/inventory.ts";
import { list } from "../../api/list.ts";
import { loadItemsBy } from "../../lists/carts/found.ts";

/** The ids of more holdings would not fit into the address of one call. */
const IDS_PER_QUERY = 50;
const MAX_RECORDS = 1000;

/** The permissions that are needed to change which titles are bound in a volume. */
export const BIND_PERMISSIONS = [
  "inventory-storage.bound-with-parts.collection.get",
  "inventory-storage.bound-with-parts.item.post",
  "inventory-storage.bound-with-parts.item.delete",
];

/** Items of other titles that are also listed in these holdings, by the id of the holdings. */
export const boundItems = (instanceId: string, holdingsIds: readonly string[]) =>
  queryOptions({
    queryKey: ["title", instanceId, "bound-in", holdingsIds],
    queryFn: async () => {
      const found = new Map<string, Item[]>();
      for (let from = 0; from < holdingsIds.length; from += IDS_PER_QUERY) {
        const query = isAnyOf("holdingsRecordId", holdingsIds.slice(from, from + IDS_PER_QUERY));
        const { boundWithParts } = await list("/inventory-storage/bound-with-parts", { query, limit: MAX_RECORDS });
        const items = await loadItemsBy("id", [...new Set(boundWithParts.map(({ itemId }) => itemId))]);
        const volumes = new Map(items.map((item) => [item.id, item]));
        for (const { holdingsRecordId, itemId } of boundWithParts) {
          const volume = volumes.get(itemId);
          if (volume === undefined || volume.holdingsRecordId === holdingsRecordId) continue;
          found.set(holdingsRecordId, [...(found.get(holdingsRecordId) ?? []), volume]);
        }
      }
      return found;
    },
  });

export interface BoundTitle {
  instanceId: string;
  title: string;
  holdingsId: string;
  hrid: string;
}

/** The titles that are bound in a volume; the title of its own holdings comes first. */
export function boundTitles({ boundWithTitles = [], holdingsRecordId }: Item): BoundTitle[] {
  const parts = boundWithTitles.map(({ briefInstance, briefHoldingsRecord }) => ({
    instanceId: briefInstance?.id ?? "",
    title: briefInstance?.title ?? "",
    holdingsId: briefHoldingsRecord?.id ?? "",
    hrid: briefHoldingsRecord?.hrid ?? "",
  }));
  const own = (part: BoundTitle) => Number(part.holdingsId !== holdingsRecordId);
  return parts.sort((one, other) => own(one) - own(other) || one.title.localeCompare(other.title));
}

/**
 * The server stores all holdings of a volume at once: the current ones are read first, so that changes of others stay.
 */
export async function changeBoundTitles(itemId: string, change: (holdingsIds: string[]) => string[]): Promise<void> {
  const now = await ask<Item>(`/inventory/items/${itemId}`);
  const holdings = change(boundTitles(now).map(({ holdingsId }) => holdingsId));
  const boundWithContents = holdings.map((holdingsRecordId) => ({ holdingsRecordId }));
  await ask("/inventory-storage/bound-withs", { method: "PUT", body: { itemId, boundWithContents } });
}
