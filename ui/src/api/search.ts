/**
 * Calls of the search index (mod-search): titles, facets, and lists to browse. While the index is being built the
 * server answers 503 with its progress.
 */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ask, download, Refused } from "./http.ts";
import type { Title } from "./inventory.ts";

/** The server pages through at most so many titles. */
export const MAX_TITLES = 10_000;
/** The server returns at most so many titles in one answer. */
const TITLES_PER_CALL = 500;
const RETRY_MS = 2_000;

export interface TitleSearchResult {
  instances: Title[];
  totalRecords: number;
  /** Corrected spellings to search for, if nothing was found. */
  suggestions?: string[];
}

interface SearchOptions {
  query: string;
  limit: number;
  offset?: number;
  signal?: AbortSignal;
}

export const searchTitles = ({ signal, ...wanted }: SearchOptions) =>
  ask<TitleSearchResult>("/search/instances", {
    query: { ...wanted, expandAll: true },
    mayBeBusy: true,
    ...(signal && { signal }),
  });

interface Facets {
  facets: Record<string, { values: { id: string; totalRecords: number }[] }>;
}

export const loadFacets = (query: string, facet: string) =>
  ask<Facets>("/search/instances/facets", { query: { query, facet }, mayBeBusy: true });

interface BrowsePage<Line> {
  items: Line[];
  totalRecords: number;
  prev?: string;
  next?: string;
}

export const loadBrowsePage = <Line>(path: string, query: Record<string, string | number>) =>
  ask<BrowsePage<Line>>(path, { query, mayBeBusy: true });

/**
 * A query to the search index: the last answer is shown until the next one comes, and the query is repeated while the
 * index is being built.
 */
export const indexQuery = <Answer>(key: readonly unknown[], queryFn: () => Promise<Answer>) =>
  queryOptions({
    queryKey: ["search", ...key],
    queryFn,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => isIndexing(state.error) && RETRY_MS,
  });

const isIndexing = (error: unknown) => error instanceof Refused && error.status === 503;

/** Downloads the ids of all titles found, one a line. */
export function downloadIds(query: string, signal: AbortSignal, arrived: (ids: number) => void): Promise<Blob> {
  const bytesOfId = 37;
  const call = { query: { query }, headers: { "content-type": "text/plain" }, signal, mayBeBusy: true };
  return download("/search/instances/ids", call, (bytes) => arrived(Math.floor(bytes / bytesOfId)));
}

/** Loads all titles found, up to the most that the server pages through, in the order of the search. */
export async function loadAllTitles(query: string, signal: AbortSignal, arrived: (titles: number) => void) {
  const titles: Title[] = [];
  for (let total = 1; titles.length < Math.min(total, MAX_TITLES); ) {
    const wanted = { query, limit: TITLES_PER_CALL, offset: titles.length, signal };
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

/** Whether the library's index has a list of classification numbers to browse. */
export const hasClassificationBrowse = queryOptions({
  queryKey: ["search-features"],
  staleTime: 3_600_000,
  queryFn: async () => {
    const { features } = await ask<Features>("/search/config/features");
    return features.some(({ feature, enabled }) => feature === "browse.classifications" && enabled);
  },
});
