/** Lists of records, each typed by its path. */

import { ask } from "./http.ts";
import type { Answers } from "./octavo.ts";
import type { Loan, PatronRequest } from "./records.ts";

/** Lists of which the desk knows more than is declared. */
interface Known {
  "/circulation/loans": { loans: Loan[]; totalRecords: number };
  "/circulation/requests": { requests: PatronRequest[]; totalRecords: number };
}

export type Lists = Omit<Answers, keyof Known> & Known;

interface Wanted {
  query?: string;
  limit?: number;
  offset?: number;
}

export function list<Path extends keyof Lists>(path: Path, wanted: Wanted): Promise<Lists[Path]> {
  return ask<Lists[Path]>(path, { query: { ...wanted } });
}
