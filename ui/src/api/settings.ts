/** Reads, creates, changes and deletes the records of settings. */

import { queryOptions } from "@tanstack/react-query";
import type { Kind, SettingRecord } from "../settings/kind.ts";
import { containsWord } from "./cql.ts";
import { ask } from "./http.ts";
import { list } from "./list.ts";

/** The page size of lists that are loaded whole; no library has more records in them. */
const MAX_RECORDS = 2000;

type SettingsList = Pick<Kind, "path" | "collection"> & { query?: string | undefined };

export const recordsQuery = ({ path, collection, query }: SettingsList) =>
  queryOptions({
    queryKey: ["settings", path, "all", query],
    queryFn: () => loadRecords({ path, collection, query }),
  });

export const loadRecords = async ({ path, collection, query }: SettingsList) =>
  (await ask<Record<string, SettingRecord[] | undefined>>(path, { query: { limit: MAX_RECORDS, query } }))[
    collection
  ] ?? [];

export const recordQuery = ({ path }: SettingsList, id: string) =>
  queryOptions({
    queryKey: ["settings", path, id],
    // Never loaded again by itself: a form must not change while somebody is typing in it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: () => ask<SettingRecord>(`${path}/${id}`),
  });

/** Loads the single record of a kind that has only one; always from the server, not from the cache. */
export const loadSingleRecord = async ({
  path,
  collection,
  query,
  isOfWholeLibrary = () => true,
}: SettingsList & Pick<Kind, "isOfWholeLibrary">) =>
  (await loadRecords({ path, collection, query })).find(isOfWholeLibrary);

/** Counts the open title-level requests. */
export async function countOpenTitleRequests(): Promise<number> {
  const query = 'requestLevel=="Title" and status="Open"';
  return (await list("/request-storage/requests", { query, limit: 0 })).totalRecords;
}

export function storeRecord({ path }: SettingsList, record: SettingRecord, isNew: boolean): Promise<SettingRecord> {
  if (isNew) return ask<SettingRecord>(path, { method: "POST", body: record });
  return ask<SettingRecord>(`${path}/${record.id}`, { method: "PUT", body: record });
}

/** Returns the name of a table with a record that refers to this one; undefined if there is none. */
export async function findReferringTable({ uses = [] }: Pick<Kind, "uses">, id: string): Promise<string | undefined> {
  for (const { path, at, table } of uses) {
    // One referring record is enough, so only one is loaded and none are counted.
    const first = { query: containsWord(at, id), limit: 1, totalRecords: "none" };
    const found = Object.values(await ask<Record<string, unknown>>(path, { query: first }));
    if (found.some((records) => Array.isArray(records) && records.length > 0)) return table;
  }
  return undefined;
}

export const deleteRecord = ({ path }: SettingsList, id: string) => ask(`${path}/${id}`, { method: "DELETE" });

export const rulesText = queryOptions({
  queryKey: ["rules"],
  queryFn: () => list("/circulation/rules", {}),
});
