/** Queries about titles, holdings and items. */

import { queryOptions } from "@tanstack/react-query";
import { and, equals, isAnyOf, sortBy } from "./cql.ts";
import { ask } from "./http.ts";
import { loadConfiguration } from "./library.ts";
import { type Lists, list } from "./list.ts";
import type { InventoryInstance, InventoryItem, InventoryStorageHoldingsRecord } from "./octavo.ts";
import type { NamedRecord } from "./records.ts";

/** An instance; an answer of the search index has its items, too. */
export type Title = InventoryInstance & {
  items?: { status: { name: string }; effectiveCallNumberComponents?: CallNumberParts }[];
};

interface CallNumberParts {
  prefix?: string;
  callNumber?: string;
  suffix?: string;
}

export type Holdings = InventoryStorageHoldingsRecord;

export type Item = InventoryItem;

const MAX_RECORDS = 1000;
const HOUR_MS = 3_600_000;

/** Loads a list page by page until it is complete: some titles have thousands of items. */
async function loadAllPages<T>(read: (offset: number) => Promise<{ records: T[]; total: number }>): Promise<T[]> {
  const all: T[] = [];
  for (let total = 1; all.length < total; ) {
    const page = await read(all.length);
    if (page.records.length === 0) break;
    all.push(...page.records);
    total = page.total;
  }
  return all;
}

export const title = (id: string) =>
  queryOptions({ queryKey: ["title", id], queryFn: () => ask<Title>(`/inventory/instances/${id}`) });

export const holdings = (instanceId: string) =>
  queryOptions({
    queryKey: ["title", instanceId, "holdings"],
    queryFn: async () => {
      const query = sortBy(equals("instanceId", instanceId), "id");
      return loadAllPages(async (offset) => {
        const page = await list("/holdings-storage/holdings", { query, limit: MAX_RECORDS, offset });
        return { records: page.holdingsRecords, total: page.totalRecords };
      });
    },
  });

export const items = (instanceId: string) =>
  queryOptions({
    queryKey: ["title", instanceId, "items"],
    queryFn: async () => {
      const query = sortBy(equals("instance.id", instanceId), "effectiveLocation.name effectiveShelvingOrder");
      return loadAllPages(async (offset) => {
        const page = await list("/inventory/items", { query, limit: MAX_RECORDS, offset });
        return { records: page.items, total: page.totalRecords };
      });
    },
  });

/** The open loans of the checked-out items of a title, by item id. */
export const loansOfItems = (instanceId: string, itemIds: string[]) =>
  queryOptions({
    queryKey: ["title", instanceId, "loans", itemIds],
    enabled: itemIds.length > 0,
    queryFn: async () => {
      const query = and(isAnyOf("itemId", itemIds), equals("status.name", "Open"));
      const { loans } = await list("/circulation/loans", { query, limit: MAX_RECORDS });
      return new Map(loans.map((loan) => [loan.itemId, loan]));
    },
  });

export const requestsOfTitle = (instanceId: string) =>
  queryOptions({
    queryKey: ["requests", "title", instanceId],
    queryFn: async () => {
      const query = sortBy(and(equals("instanceId", instanceId), 'status="Open"'), "position");
      return (await list("/circulation/requests", { query, limit: MAX_RECORDS })).requests;
    },
  });

/** Whether the library allows title level requests: patrons request any item of a title, which has one queue. */
export const titleLevelRequests = queryOptions({
  queryKey: ["title-level-requests"],
  staleTime: HOUR_MS,
  queryFn: async () => {
    const said = await loadConfiguration<{ titleLevelRequestsFeatureEnabled: boolean }>("SETTINGS", "TLR");
    return said.titleLevelRequestsFeatureEnabled ?? false;
  },
});

/** The paths of the lists that records choose values from. */
export type ListPath = Extract<
  keyof Lists,
  | "/material-types"
  | "/loan-types"
  | "/locations"
  | "/contributor-name-types"
  | "/contributor-types"
  | "/identifier-types"
  | "/alternative-title-types"
  | "/call-number-types"
  | "/classification-types"
  | "/electronic-access-relationships"
  | "/holdings-note-types"
  | "/holdings-sources"
  | "/holdings-types"
  | "/ill-policies"
  | "/instance-note-types"
  | "/instance-relationship-types"
  | "/instance-types"
  | "/instance-formats"
  | "/instance-statuses"
  | "/item-damaged-statuses"
  | "/item-note-types"
  | "/modes-of-issuance"
  | "/nature-of-content-terms"
  | "/statistical-codes"
>;

export const listQuery = <Path extends ListPath>(path: Path, of: (answer: Lists[Path]) => NamedRecord[]) =>
  queryOptions({
    queryKey: [path as ListPath],
    staleTime: HOUR_MS,
    queryFn: async () => of(await list(path, { limit: 2000, query: "cql.allRecords=1 sortBy name" })),
  });

export const materialTypes = listQuery("/material-types", ({ mtypes }) => mtypes);
export const loanTypes = listQuery("/loan-types", ({ loantypes }) => loantypes);
export const locations = listQuery("/locations", ({ locations }) => locations);
/** Personal names come first, since most contributors are persons. */
export const contributorNameTypes = listQuery("/contributor-name-types", (answer) =>
  answer.contributorNameTypes.toSorted((one, other) => (one.ordering ?? "").localeCompare(other.ordering ?? "")),
);
export const identifierTypes = listQuery("/identifier-types", ({ identifierTypes }) => identifierTypes);
export const holdingsNoteTypes = listQuery("/holdings-note-types", ({ holdingsNoteTypes }) => holdingsNoteTypes);

/**
 * The lists that the filters of the inventory show names from, by path. A statistical code is shown with its code and
 * its name.
 */
export const NAME_LISTS: Partial<Record<ListPath, typeof locations>> = {
  "/locations": locations,
  "/material-types": materialTypes,
  "/holdings-types": listQuery("/holdings-types", ({ holdingsTypes }) => holdingsTypes),
  "/instance-types": listQuery("/instance-types", ({ instanceTypes }) => instanceTypes),
  "/instance-formats": listQuery("/instance-formats", ({ instanceFormats }) => instanceFormats),
  "/instance-statuses": listQuery("/instance-statuses", ({ instanceStatuses }) => instanceStatuses),
  "/modes-of-issuance": listQuery("/modes-of-issuance", ({ issuanceModes }) => issuanceModes),
  "/nature-of-content-terms": listQuery("/nature-of-content-terms", ({ natureOfContentTerms }) => natureOfContentTerms),
  "/statistical-codes": listQuery("/statistical-codes", ({ statisticalCodes }) =>
    statisticalCodes.map(({ id, code, name }) => ({ id, name: `${code}: ${name}` })),
  ),
};
