/** Loads all rows of a list, page by page, and tells how far that is. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../api/http.ts";

/** The most rows that a list loads. Nobody works through more; filters narrow the list. */
export const MAX_ROWS = 10_000;
/** Rows in a page. The server needs about a second for it, also on a small machine. */
const PAGE_SIZE = 500;

export interface Progress {
  done: number;
  /** Number of rows that will be loaded: from the server's count, at most MAX_ROWS. */
  total: number;
}

export interface LoadOptions {
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

export interface LoadedRows<Row> {
  rows: Row[];
  /** Number of records on the server, which may be more than were loaded. */
  total: number;
}

/** All records of a CQL query. It must have a `sortBy`: without an order, pages overlap. */
export async function loadAllPages<T extends { id: string }>(
  path: string,
  member: string,
  query: string,
  { signal, onProgress }: LoadOptions,
): Promise<LoadedRows<T>> {
  const found = new Map<string, T>();
  let total = 1;
  for (let offset = 0; offset < Math.min(total, MAX_ROWS); offset += PAGE_SIZE) {
    const asked = { query, limit: Math.min(PAGE_SIZE, MAX_ROWS - offset), offset };
    const page = await ask<Record<string, unknown>>(path, { query: asked, signal });
    const records = page[member] as T[];
    total = Number(page.totalRecords);
    // A record that moved to the next page between two calls is in both: it is kept once.
    for (const record of records) found.set(record.id, record);
    onProgress({ done: found.size, total: Math.min(total, MAX_ROWS) });
    if (records.length === 0) break;
  }
  return { rows: [...found.values()], total };
}

/** The query for a list, with its progress while it loads. */
export function useLoadedRows<Row>(key: readonly unknown[], load: (loading: LoadOptions) => Promise<LoadedRows<Row>>) {
  const [progress, setProgress] = useState<Progress>();
  const query = useQuery({
    queryKey: ["lists", ...key],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      setProgress(undefined);
      return load({ signal, onProgress: setProgress });
    },
  });
  return { ...query, progress };
}
