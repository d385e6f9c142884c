/** Volumes that hold several titles: the item stands at holdings of its own, and is listed at those of the other titles, too. */

import { queryOptions } from "@tanstack/react-query";
import { isAnyOf } from "../../api/cql.ts";
import { ask } from "../../api/http.ts";
import type { Item } from "../../api/inventory.ts";
import { list } from "../../api/list.ts";
import { itemsBy } from "../../lists/carts/found.ts";

/** A longer query would not fit into an address. */
const AT_ONCE = 50;
const MANY = 1000;

/** What the server asks for of whoever says which titles a volume holds. */
export const MAY_BIND = [
  "inventory-storage.bound-with-parts.collection.get",
  "inventory-storage.bound-with-parts.item.post",
  "inventory-storage.bound-with-parts.item.delete",
];

/** Items of other titles that are listed at these holdings, too, by the id of the holdings. */
export const boundIn = (instanceId: string, holdingsIds: readonly string[]) =>
  queryOptions({
    queryKey: ["title", instanceId, "bound-in", holdingsIds],
    queryFn: async () => {
      const found = new Map<string, Item[]>();
      for (let from = 0; from < holdingsIds.length; from += AT_ONCE) {
        const query = isAnyOf("holdingsRecordId", holdingsIds.slice(from, from + AT_ONCE));
        const { boundWithParts } = await list("/inventory-storage/bound-with-parts", { query, limit: MANY });
        const items = await itemsBy("id", [...new Set(boundWithParts.map(({ itemId }) => itemId))]);
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

export interface Part {
  instanceId: string;
  title: string;
  holdingsId: string;
  hrid: string;
}

/** The titles in a volume, that of its own holdings first. */
export function partsOf({ boundWithTitles = [], holdingsRecordId }: Item): Part[] {
  const parts = boundWithTitles.map(({ briefInstance, briefHoldingsRecord }) => ({
    instanceId: briefInstance?.id ?? "",
    title: briefInstance?.title ?? "",
    holdingsId: briefHoldingsRecord?.id ?? "",
    hrid: briefHoldingsRecord?.hrid ?? "",
  }));
  const own = (part: Part) => Number(part.holdingsId !== holdingsRecordId);
  return parts.sort((one, other) => own(one) - own(other) || one.title.localeCompare(other.title));
}

/** All holdings of a volume are written at once: what others have added meanwhile is read first, and stays. */
export async function rebind(itemId: string, change: (holdingsIds: string[]) => string[]): Promise<void> {
  const now = await ask<Item>(`/inventory/items/${itemId}`);
  const holdings = change(partsOf(now).map(({ holdingsId }) => holdingsId));
  const boundWithContents = holdings.map((holdingsRecordId) => ({ holdingsRecordId }));
  await ask("/inventory-storage/bound-withs", { method: "PUT", body: { itemId, boundWithContents } });
}
