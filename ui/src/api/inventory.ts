/** Queries about titles and their copies. */

import { queryOptions } from "@tanstack/react-query";
import { all, any, begins, is, isAnyOf, quoted, sorted } from "./cql.ts";
import { ask } from "./http.ts";
import { configured } from "./library.ts";
import { type Lists, list } from "./list.ts";
import type { InventoryInstance, InventoryItem, InventoryStorageHoldingsRecord } from "./octavo.ts";
import type { Named } from "./records.ts";

/** With its items where a search has found it. */
export type Title = InventoryInstance & { items?: { status: { name: string } }[] };

export type Holdings = InventoryStorageHoldingsRecord;

export type Item = InventoryItem;

const MANY = 1000;
const HOUR = 3_600_000;

/** Words of title, people, subjects and identifiers; a barcode or call number leads to its title, too. */
export function searchTitles(text: string, { limit, offset }: { limit: number; offset: number }) {
  const ways = [
    ...["keyword", "subjects"].map((field) => `${field} all ${quoted(text)}`),
    ...["items.barcode", "itemFullCallNumbers", "holdingsFullCallNumbers"].map((field) => is(field, text)),
  ];
  if (CALL_NUMBER.test(text)) ways.push(begins("itemNormalizedCallNumbers", text));
  if (NUMBER.test(text)) ways.push(...["isbn", "issn", "identifiers.value"].map((field) => begins(field, text)));
  return list("/search/instances", { query: sorted(any(...ways), "title"), limit, offset, expandAll: true });
}

/** Matches what may be the beginning of a call number, with or without its blanks: it has a digit, and is not just a word or two. */
const CALL_NUMBER = /^(?=.*\d)(?=(?:[^\p{L}\d]*[\p{L}\d]){3}).{3,40}$/u;
/** The beginning of an ISBN or ISSN, with or without its hyphens. */
const NUMBER = /^\d(?:[ -]?\d){3,12}[ -]?[\dx]?$/i;

export const title = (id: string) =>
  queryOptions({ queryKey: ["title", id], queryFn: () => ask<Title>(`/inventory/instances/${id}`) });

export const holdings = (instanceId: string) =>
  queryOptions({
    queryKey: ["title", instanceId, "holdings"],
    queryFn: async () => {
      const query = is("instanceId", instanceId);
      return (await list("/holdings-storage/holdings", { query, limit: MANY })).holdingsRecords;
    },
  });

export const items = (instanceId: string) =>
  queryOptions({
    queryKey: ["title", instanceId, "items"],
    queryFn: async () => {
      const query = sorted(is("instance.id", instanceId), "effectiveLocation.name effectiveShelvingOrder");
      return (await list("/inventory/items", { query, limit: MANY })).items;
    },
  });

/** When the copies that are out are due back. */
export const loansOf = (instanceId: string, itemIds: string[]) =>
  queryOptions({
    queryKey: ["title", instanceId, "loans", itemIds],
    enabled: itemIds.length > 0,
    queryFn: async () => {
      const query = all(isAnyOf("itemId", itemIds), is("status.name", "Open"));
      const { loans } = await list("/circulation/loans", { query, limit: MANY });
      return new Map(loans.map((loan) => [loan.itemId, loan]));
    },
  });

export const requestsOf = (instanceId: string) =>
  queryOptions({
    queryKey: ["requests", "title", instanceId],
    queryFn: async () => {
      const query = sorted(all(is("instanceId", instanceId), 'status="Open"'), "position");
      return (await list("/circulation/requests", { query, limit: MANY })).requests;
    },
  });

/** Whether patrons may ask for any copy of a title, which then has one queue. */
export const titleLevelRequests = queryOptions({
  queryKey: ["title-level-requests"],
  staleTime: HOUR,
  queryFn: async () => {
    const said = await configured<{ titleLevelRequestsFeatureEnabled: boolean }>("SETTINGS", "TLR");
    return said.titleLevelRequestsFeatureEnabled ?? false;
  },
});

type NamedPath =
  | "/material-types"
  | "/loan-types"
  | "/locations"
  | "/contributor-name-types"
  | "/identifier-types"
  | "/holdings-note-types";

const named = <Path extends NamedPath>(path: Path, of: (answer: Lists[Path]) => Named[]) =>
  queryOptions({
    queryKey: [path],
    staleTime: HOUR,
    queryFn: async () => of(await list(path, { limit: 2000, query: "cql.allRecords=1 sortBy name" })),
  });

export const materialTypes = named("/material-types", ({ mtypes }) => mtypes);
export const loanTypes = named("/loan-types", ({ loantypes }) => loantypes);
export const locations = named("/locations", ({ locations }) => locations);
/** Personal names first: they are the most. */
export const contributorNameTypes = named("/contributor-name-types", (answer) =>
  answer.contributorNameTypes.toSorted((one, other) => (one.ordering ?? "").localeCompare(other.ordering ?? "")),
);
export const identifierTypes = named("/identifier-types", ({ identifierTypes }) => identifierTypes);
export const holdingsNoteTypes = named("/holdings-note-types", ({ holdingsNoteTypes }) => holdingsNoteTypes);
