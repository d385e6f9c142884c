/** Settings as records: listed, made, changed, deleted. */

import { queryOptions } from "@tanstack/react-query";
import type { Kind, Stored } from "../settings/kind.ts";
import { contains } from "./cql.ts";
import { ask } from "./http.ts";
import { list } from "./list.ts";

/** More than any library has of what is listed whole. */
const ALL = 2000;

type Place = Pick<Kind, "path" | "collection"> & { query?: string | undefined };

export const recordsOf = ({ path, collection, query }: Place) =>
  queryOptions({
    queryKey: ["settings", path, "all", query],
    queryFn: () => recordsAt({ path, collection, query }),
  });

export const recordsAt = async ({ path, collection, query }: Place) =>
  (await ask<Record<string, Stored[] | undefined>>(path, { query: { limit: ALL, query } }))[collection] ?? [];

export const recordOf = ({ path }: Place, id: string) =>
  queryOptions({
    queryKey: ["settings", path, id],
    // A form must not be filled anew under the hands of whoever writes in it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: () => ask<Stored>(`${path}/${id}`),
  });

/** The record of a kind of which there is one; asked for now, whatever is remembered. */
export const theOne = async ({ path, collection, query, ofAll = () => true }: Place & Pick<Kind, "ofAll">) =>
  (await recordsAt({ path, collection, query })).find(ofAll);

/** Requests for any copy of a title that still wait. */
export async function openTitleRequests(): Promise<number> {
  const query = 'requestLevel=="Title" and status="Open"';
  return (await list("/request-storage/requests", { query, limit: 0 })).totalRecords;
}

export function store({ path }: Place, record: Stored, isNew: boolean): Promise<Stored> {
  if (isNew) return ask<Stored>(path, { method: "POST", body: record });
  return ask<Stored>(`${path}/${record.id}`, { method: "PUT", body: record });
}

/** The table of a record that refers to this one; undefined if none does. */
export async function usedBy({ uses = [] }: Pick<Kind, "uses">, id: string): Promise<string | undefined> {
  for (const { path, at, table } of uses) {
    // The first that is found is enough: nobody needs to know how many there are.
    const first = { query: contains(at, id), limit: 1, totalRecords: "none" };
    const found = Object.values(await ask<Record<string, unknown>>(path, { query: first }));
    if (found.some((records) => Array.isArray(records) && records.length > 0)) return table;
  }
  return undefined;
}

export const remove = ({ path }: Place, id: string) => ask(`${path}/${id}`, { method: "DELETE" });

export const rulesText = queryOptions({
  queryKey: ["rules"],
  queryFn: () => list("/circulation/rules", {}),
});
