/** Calls of the search index: titles, their facets, and lists to leaf through. While the index is made they tell how far it is. */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ask, download, Refused } from "./http.ts";
import type { Title } from "./inventory.ts";

/** The server pages through no more titles than this. */
export const MOST = 10_000;
/** It gives no more of them at once. */
const AT_ONCE = 500;
const LOOK_AGAIN_MS = 2_000;

export interface Found {
  instances: Title[];
  totalRecords: number;
  /** Searches of other words, where this one has found nothing. */
  suggestions?: string[];
}

interface Wanted {
  query: string;
  limit: number;
  offset?: number;
  signal?: AbortSignal;
}

export const searchTitles = ({ signal, ...wanted }: Wanted) =>
  ask<Found>("/search/instances", {
    query: { ...wanted, expandAll: true },
    mayBeBusy: true,
    ...(signal && { signal }),
  });

interface Facets {
  facets: Record<string, { values: { id: string; totalRecords: number }[] }>;
}

export const facetsOf = (query: string, facet: string) =>
  ask<Facets>("/search/instances/facets", { query: { query, facet }, mayBeBusy: true });

interface Page<Line> {
  items: Line[];
  totalRecords: number;
  prev?: string;
  next?: string;
}

export const browse = <Line>(path: string, query: Record<string, string | number>) =>
  ask<Page<Line>>(path, { query, mayBeBusy: true });

/** A question to the index: its last answer stays until the next is there, and it is asked again while the index is made. */
export const ofIndex = <Answer>(key: readonly unknown[], queryFn: () => Promise<Answer>) =>
  queryOptions({
    queryKey: ["search", ...key],
    queryFn,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => isBusy(state.error) && LOOK_AGAIN_MS,
  });

const isBusy = (error: unknown) => error instanceof Refused && error.status === 503;

/** Their ids, one a line. */
export function idsOf(query: string, signal: AbortSignal, arrived: (ids: number) => void): Promise<Blob> {
  const bytesOfId = 37;
  const call = { query: { query }, headers: { "content-type": "text/plain" }, signal, mayBeBusy: true };
  return download("/search/instances/ids", call, (bytes) => arrived(Math.floor(bytes / bytesOfId)));
}

/** All that can be paged through, in their order. */
export async function everyTitle(query: string, signal: AbortSignal, arrived: (titles: number) => void) {
  const titles: Title[] = [];
  for (let total = 1; titles.length < Math.min(total, MOST); ) {
    const wanted = { query, limit: AT_ONCE, offset: titles.length, signal };
    const page = await searchTitles(wanted);
    if (page.instances.length === 0) break;
    titles.push(...page.instances);
    total = page.totalRecords;
    arrived(titles.length);
  }
  return titles;
}

interface Features {
  features: { feature: string; enabled: boolean }[];
}

/** Whether the library's index has lists of classification numbers. */
export const classificationsAreListed = queryOptions({
  queryKey: ["search-features"],
  staleTime: 3_600_000,
  queryFn: async () => {
    const { features } = await ask<Features>("/search/config/features");
    return features.some(({ feature, enabled }) => feature === "browse.classifications" && enabled);
  },
});
