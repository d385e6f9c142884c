/** What the desk asks about titles and their copies. */

import { queryOptions } from "@tanstack/react-query";
import { all, is, isAnyOf, sorted } from "./cql.ts";
import { ask } from "./http.ts";
import type { Named, PatronRequest } from "./records.ts";

export interface Title {
  id: string;
  hrid?: string;
  title: string;
  contributors?: { name: string; primary?: boolean }[];
  publication?: { publisher?: string; place?: string; dateOfPublication?: string }[];
  editions?: string[];
  physicalDescriptions?: string[];
  subjects?: { value: string }[];
  identifiers?: { value: string }[];
  languages?: string[];
  items?: { status: { name: string } }[];
}

export interface Holdings {
  id: string;
  callNumber?: string;
  effectiveLocationId?: string;
  permanentLocationId: string;
}

export interface Item {
  id: string;
  barcode?: string;
  holdingsRecordId: string;
  copyNumber?: string;
  volume?: string;
  enumeration?: string;
  callNumber?: string;
  status: { name: string; date?: string };
  materialType?: Named;
  permanentLoanType?: Named;
  temporaryLoanType?: Named;
  effectiveLocation?: Named;
}

const MANY = 1000;
const HOUR = 3_600_000;

/** Words of title, people, subjects and identifiers; a barcode or call number leads to its title, too. */
export function searchTitles(text: string, { limit, offset }: { limit: number; offset: number }) {
  const quoted = `"${text.replace(/[\\"*?^]/g, "\\$&")}"`;
  const query = `(keyword all ${quoted} or items.barcode==${quoted} or callNumber==${quoted}) sortBy title`;
  return ask<{ instances: Title[]; totalRecords: number }>("/search/instances", {
    query: { query, limit, offset, expandAll: true },
  });
}

export const title = (id: string) =>
  queryOptions({ queryKey: ["title", id], queryFn: () => ask<Title>(`/inventory/instances/${id}`) });

export const holdings = (instanceId: string) =>
  queryOptions({
    queryKey: ["title", instanceId, "holdings"],
    queryFn: async () => {
      const query = is("instanceId", instanceId);
      const path = "/holdings-storage/holdings";
      return (await ask<{ holdingsRecords: Holdings[] }>(path, { query: { query, limit: MANY } })).holdingsRecords;
    },
  });

export const items = (instanceId: string) =>
  queryOptions({
    queryKey: ["title", instanceId, "items"],
    queryFn: async () => {
      const query = sorted(is("instance.id", instanceId), "effectiveLocation.name effectiveShelvingOrder");
      return (await ask<{ items: Item[] }>("/inventory/items", { query: { query, limit: MANY } })).items;
    },
  });

/** When the copies that are out are due back. */
export const loansOf = (instanceId: string, itemIds: string[]) =>
  queryOptions({
    queryKey: ["title", instanceId, "loans", itemIds],
    enabled: itemIds.length > 0,
    queryFn: async () => {
      const query = all(isAnyOf("itemId", itemIds), is("status.name", "Open"));
      const answer = await ask<{ loans: { itemId: string; dueDate: string; userId: string }[] }>("/circulation/loans", {
        query: { query, limit: MANY },
      });
      return new Map(answer.loans.map((loan) => [loan.itemId, loan]));
    },
  });

export const requestsOf = (instanceId: string) =>
  queryOptions({
    queryKey: ["requests", "title", instanceId],
    queryFn: async () => {
      const query = sorted(all(is("instanceId", instanceId), 'status="Open"'), "position");
      return (await ask<{ requests: PatronRequest[] }>("/circulation/requests", { query: { query, limit: MANY } }))
        .requests;
    },
  });

/** Whether patrons may ask for any copy of a title, which then has one queue. */
export const titleLevelRequests = queryOptions({
  queryKey: ["title-level-requests"],
  staleTime: HOUR,
  queryFn: async () => {
    const query = all(is("module", "SETTINGS"), is("configName", "TLR"));
    const { configs } = await ask<{ configs: { value?: string }[] }>("/configurations/entries", { query: { query } });
    const value = JSON.parse(configs[0]?.value ?? "{}") as { titleLevelRequestsFeatureEnabled?: boolean };
    return value.titleLevelRequestsFeatureEnabled ?? false;
  },
});

const named = <Key extends string>(path: string, key: Key) =>
  queryOptions({
    queryKey: [path],
    staleTime: HOUR,
    queryFn: async () => {
      const answer = await ask<Record<Key, Named[]>>(path, {
        query: { limit: 2000, query: "cql.allRecords=1 sortBy name" },
      });
      return answer[key];
    },
  });

export const materialTypes = named("/material-types", "mtypes");
export const loanTypes = named("/loan-types", "loantypes");
export const locations = named("/locations", "locations");
