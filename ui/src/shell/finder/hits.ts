/** What the box finds in the library, each part by itself: a part that fails or is not permitted leaves the others. */

import { any, begins, is } from "../../api/cql.ts";
import { list } from "../../api/list.ts";
import { findPatrons } from "../../api/patrons.ts";
import { searchTitles } from "../../api/search.ts";
import { query } from "../../inventory/asked.ts";
import { nameOf } from "../../parts/portrait.tsx";

export type HitKind = "page" | "setting" | "patron" | "title" | "request";

export interface Hit {
  kind: HitKind;
  id: string;
  name: string;
  /** What tells it from others of the name. */
  more?: string | undefined;
  path: string;
}

interface Part {
  kind: HitKind;
  needs: string;
  find: (text: string) => Promise<Hit[]>;
}

const FEW = 5;

export const PARTS: readonly Part[] = [
  { kind: "patron", needs: "users.collection.get", find: patronsLike },
  { kind: "title", needs: "search.instances.collection.get", find: titlesLike },
  { kind: "request", needs: "circulation.requests.collection.get", find: requestsLike },
];

async function patronsLike(text: string): Promise<Hit[]> {
  const found = await findPatrons(text);
  return found.slice(0, FEW).map((user) => ({
    kind: "patron",
    id: user.id,
    name: nameOf(user),
    more: user.barcode,
    path: `/patrons/${user.id}`,
  }));
}

/** By words, numbers, or the barcode of a copy, as the inventory finds them. */
async function titlesLike(text: string): Promise<Hit[]> {
  const asked = query({ text, option: "anything", chosen: {}, sort: "relevance" });
  const { instances } = await searchTitles({ query: asked, limit: FEW });
  return instances.map((title) => ({
    kind: "title",
    id: title.id,
    name: title.title,
    more: title.contributors?.[0]?.name,
    path: `/inventory/${title.id}`,
  }));
}

/** Of a card or of an item that somebody waits for. */
async function requestsLike(text: string): Promise<Hit[]> {
  const fields = any(
    is("item.barcode", text),
    is("requester.barcode", text),
    begins("requester.lastName", text),
    begins("instance.title", text),
  );
  const { requests } = await list("/circulation/requests", { query: `status="Open" and ${fields}`, limit: FEW });
  return requests.map((request) => ({
    kind: "request",
    id: request.id ?? "",
    name: request.instance?.title ?? "",
    more: [request.requester?.firstName, request.requester?.lastName].filter(Boolean).join(" "),
    path: `/requests?request=${request.id}`,
  }));
}
