/** Queries about titles and their copies. */

import { queryOptions } from "@tanstack/react-query";
import { all, is, isAnyOf, sorted } from "./cql.ts";
import { ask } from "./http.ts";
import { configured } from "./library.ts";
import { type Lists, list } from "./list.ts";
import type { InventoryInstance, InventoryItem, InventoryStorageHoldingsRecord } from "./octavo.ts";
import type { Named } from "./records.ts";

/** With its items where a search has found it. */
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

const MANY = 1000;
const HOUR = 3_600_000;

/** Some titles have thousands of copies: page after page is read. */
async function every<T>(read: (offset: number) => Promise<{ records: T[]; total: number }>): Promise<T[]> {
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
      const query = sorted(is("instanceId", instanceId), "id");
      return every(async (offset) => {
        const page = await list("/holdings-storage/holdings", { query, limit: MANY, offset });
        return { records: page.holdingsRecords, total: page.totalRecords };
      });
    },
  });

export const items = (instanceId: string) =>
  queryOptions({
    queryKey: ["title", instanceId, "items"],
    queryFn: async () => {
      const query = sorted(is("instance.id", instanceId), "effectiveLocation.name effectiveShelvingOrder");
      return every(async (offset) => {
        const page = await list("/inventory/items", { query, limit: MANY, offset });
        return { records: page.items, total: page.totalRecords };
      });
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

/** Lists that records choose from, by their paths. */
export type NamedPath = Extract<
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

export const named = <Path extends NamedPath>(path: Path, of: (answer: Lists[Path]) => Named[]) =>
  queryOptions({
    queryKey: [path as NamedPath],
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

/** The names of what titles, holdings and items are filed under, by path; of a code its code, too. */
export const NAMES: Partial<Record<NamedPath, typeof locations>> = {
  "/locations": locations,
  "/material-types": materialTypes,
  "/holdings-types": named("/holdings-types", ({ holdingsTypes }) => holdingsTypes),
  "/instance-types": named("/instance-types", ({ instanceTypes }) => instanceTypes),
  "/instance-formats": named("/instance-formats", ({ instanceFormats }) => instanceFormats),
  "/instance-statuses": named("/instance-statuses", ({ instanceStatuses }) => instanceStatuses),
  "/modes-of-issuance": named("/modes-of-issuance", ({ issuanceModes }) => issuanceModes),
  "/nature-of-content-terms": named("/nature-of-content-terms", ({ natureOfContentTerms }) => natureOfContentTerms),
  "/statistical-codes": named("/statistical-codes", ({ statisticalCodes }) =>
    statisticalCodes.map(({ id, code, name }) => ({ id, name: `${code}: ${name}` })),
  ),
};
