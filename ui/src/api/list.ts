/** Lists of records, each typed by its path. */

import { ask } from "./http.ts";
import type { Item, Title } from "./inventory.ts";
import type { Answers } from "./octavo.ts";
import type { Loan, PatronRequest } from "./records.ts";

interface Page {
  totalRecords: number;
}

/** Lists that have code of their own on the server: no declaration of a record tells what they answer. */
interface OwnAnswers {
  "/circulation/loans": Page & { loans: Loan[] };
  "/circulation/requests": Page & { requests: PatronRequest[] };
  "/inventory/items": Page & { items: Item[] };
  "/search/instances": Page & { instances: Title[] };
}

export type Lists = Omit<Answers, keyof OwnAnswers> & OwnAnswers;

interface Wanted {
  query?: string;
  limit?: number;
  offset?: number;
  expandAll?: boolean;
}

export function list<Path extends keyof Lists>(path: Path, wanted: Wanted): Promise<Lists[Path]> {
  return ask<Lists[Path]>(path, { query: { ...wanted } });
}
