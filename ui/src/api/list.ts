/** Loads lists of records; the type of an answer follows from the path. */

import { ask } from "./http.ts";
import type { Answers } from "./octavo.ts";
import type { Loan, PatronRequest } from "./records.ts";

/** Lists whose types the desk narrows beyond what the server's OpenAPI page declares. */
interface RefinedLists {
  "/circulation/loans": { loans: Loan[]; totalRecords: number };
  "/circulation/requests": { requests: PatronRequest[]; totalRecords: number };
}

export type Lists = Omit<Answers, keyof RefinedLists> & RefinedLists;

interface ListOptions {
  query?: string;
  limit?: number;
  offset?: number;
}

export function list<Path extends keyof Lists>(path: Path, wanted: ListOptions): Promise<Lists[Path]> {
  return ask<Lists[Path]>(path, { query: { ...wanted } });
}

const PAGE = 1000;

/** Loads all records of a list, page by page. The query has to sort them, so that no record moves to another page meanwhile. */
export async function listAll<Path extends keyof Lists, Item>(
  path: Path,
  query: string,
  records: (page: Lists[Path]) => Item[],
): Promise<Item[]> {
  const all: Item[] = [];
  for (;;) {
    const page = records(await list(path, { query, limit: PAGE, offset: all.length }));
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
