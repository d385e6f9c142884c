/** A list as a whole: the server gives it page by page, and one sees how far that is. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../api/http.ts";

/** More rows than this nobody works through; whoever has more narrows the list. */
export const MOST = 10_000;
/** The server makes a page of so many in about a second, also on a small machine. */
const AT_ONCE = 500;

export interface Progress {
  done: number;
  /** As far as it is known. */
  of: number;
}

export interface Loading {
  signal: AbortSignal;
  arrived: (progress: Progress) => void;
}

export interface Loaded<Row> {
  rows: Row[];
  /** How many the server has. */
  total: number;
}

/** All records of a query, which must put them in an order: else pages overlap. */
export async function every<T extends { id: string }>(
  path: string,
  member: string,
  query: string,
  { signal, arrived }: Loading,
): Promise<Loaded<T>> {
  const found = new Map<string, T>();
  let total = 1;
  for (let offset = 0; offset < Math.min(total, MOST); offset += AT_ONCE) {
    const asked = { query, limit: Math.min(AT_ONCE, MOST - offset), offset };
    const page = await ask<Record<string, unknown>>(path, { query: asked, signal });
    const records = page[member] as T[];
    total = Number(page.totalRecords);
    // What moved from one page to the next while they were read is there once.
    for (const record of records) found.set(record.id, record);
    arrived({ done: found.size, of: Math.min(total, MOST) });
    if (records.length === 0) break;
  }
  return { rows: [...found.values()], total };
}

/** The list while it is loaded and afterwards. */
export function useLoaded<Row>(key: readonly unknown[], load: (loading: Loading) => Promise<Loaded<Row>>) {
  const [progress, setProgress] = useState<Progress>();
  const query = useQuery({
    queryKey: ["lists", ...key],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      setProgress(undefined);
      return load({ signal, arrived: setProgress });
    },
  });
  return { ...query, progress };
}
