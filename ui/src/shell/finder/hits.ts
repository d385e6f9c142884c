/** The searches of the finder. Each is independent: one that fails or is not permitted leaves the others. */

import { equals, or, startsWith } from "../../api/cql.ts";
import { list } from "../../api/list.ts";
import { findPatrons } from "../../api/patrons.ts";
import { searchTitles } from "../../api/search.ts";
import { searchQuery } from "../../inventory/asked.ts";
import { patronName } from "../../parts/portrait.tsx";

export type HitKind = "page" | "setting" | "patron" | "title" | "request";

export interface Hit {
  kind: HitKind;
  id: string;
  name: string;
  /** Tells hits with the same name apart, e.g. the barcode of a patron. */
  more?: string | undefined;
  path: string;
}

interface HitSource {
  kind: HitKind;
  needs: string;
  find: (text: string) => Promise<Hit[]>;
}

const HITS_PER_SOURCE = 5;

export const HIT_SOURCES: readonly HitSource[] = [
  { kind: "patron", needs: "users.collection.get", find: findPatronHits },
  { kind: "title", needs: "search.instances.collection.get", find: findTitleHits },
  { kind: "request", needs: "circulation.requests.collection.get", find: findRequestHits },
];

async function findPatronHits(text: string): Promise<Hit[]> {
  const { users } = await findPatrons(text, HITS_PER_SOURCE);
  return users.map((user) => ({
    kind: "patron",
    id: user.id,
    name: patronName(user),
    more: user.barcode,
    path: `/patrons/${user.id}`,
  }));
}

/** Finds titles by words, numbers, or the barcode of an item, as the inventory page does. */
async function findTitleHits(text: string): Promise<Hit[]> {
  const asked = searchQuery({ text, option: "anything", chosen: {}, sort: "relevance" });
  const { instances } = await searchTitles({ query: asked, limit: HITS_PER_SOURCE });
  return instances.map((title) => ({
    kind: "title",
    id: title.id,
    name: title.title,
    more: title.contributors?.[0]?.name,
    path: `/inventory/${title.id}`,
  }));
}

/**
 * Finds open requests by the patron's or the item's barcode, or by the beginning of the patron's last name or of the
 * title.
 */
async function findRequestHits(text: string): Promise<Hit[]> {
  const fields = or(
    equals("item.barcode", text),
    equals("requester.barcode", text),
    startsWith("requester.lastName", text),
    startsWith("instance.title", text),
  );
  const { requests } = await list("/circulation/requests", {
    query: `status="Open" and ${fields}`,
    limit: HITS_PER_SOURCE,
  });
  return requests.map((request) => ({
    kind: "request",
    id: request.id ?? "",
    name: request.instance?.title ?? "",
    more: [request.requester?.firstName, request.requester?.lastName].filter(Boolean).join(" "),
    path: `/requests?request=${request.id}`,
  }));
}
