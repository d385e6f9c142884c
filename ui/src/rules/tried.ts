/**
 * The result of the server's simulation: loans that other rules would have treated differently, with titles and
 * patrons.
 */

import { isAnyOf } from "../api/cql.ts";
import { ask, Refused } from "../api/http.ts";
import type { RulesSimulation } from "../api/octavo.ts";
import type { Loan } from "../api/records.ts";
import { borrowerName } from "../parts/portrait.tsx";
import type { NamedRecord } from "./named.ts";

/** The most loans that the server lists; it counts all of them. */
export const MAX_EXAMPLES = 100;

/** What one version of the rules decides: the line, the policies, and the due date or why the item is not loanable. */
export interface Decision {
  line: number;
  loanPolicyId: string;
  overdueFinePolicyId: string;
  lostItemPolicyId: string;
  dueDate?: string;
  notLent?: string;
}

interface Example {
  loanId: string;
  loanDate: string;
  change: string;
  before: Decision;
  after: Decision;
}

export interface ChangedLoan extends Example {
  title: string;
  barcode: string;
  patron: string;
  group: string;
}

export interface SimulationResult {
  /** The rules that were simulated. */
  rulesText: string;
  days: number;
  loans: number;
  changed: number;
  changes: Record<string, number>;
  rows: ChangedLoan[];
}

export async function simulateOnLoans(rulesAsText: string, days: number): Promise<SimulationResult> {
  const body = { rulesAsText, days, examples: MAX_EXAMPLES };
  const answer = await ask<RulesSimulation>("/octavo/rules/simulate", { method: "POST", body });
  const examples = answer.examples as unknown as Example[];
  const loans = await loadLoansById(examples.map(({ loanId }) => loanId)).catch(emptyIfForbidden);
  const rows = examples.map((example): ChangedLoan => {
    const loan = loans.get(example.loanId);
    return {
      ...example,
      title: loan?.item?.title ?? "",
      barcode: loan?.item?.barcode ?? "",
      patron: loan ? borrowerName(loan) : "",
      group: loan?.patronGroupAtCheckout?.name ?? "",
    };
  });
  return { ...answer, rulesText: rulesAsText, rows };
}

/** Without the permission to read loans, the table has no titles and names. */
function emptyIfForbidden(error: unknown): Map<string, Loan> {
  if (error instanceof Refused && error.status === 403) return new Map();
  throw error;
}

/** Ids in one query: the length of an address is limited. */
const BATCH_SIZE = 50;

async function loadLoansById(ids: string[]): Promise<Map<string, Loan>> {
  const found = new Map<string, Loan>();
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    const query = { query: isAnyOf("id", ids.slice(from, from + BATCH_SIZE)), limit: BATCH_SIZE };
    const { loans } = await ask<{ loans: Loan[] }>("/circulation/loans", { query });
    for (const loan of loans) found.set(loan.id, loan);
  }
  return found;
}

/** The policies that differ, by name: the loan policy first. */
export function changedPolicies({ before, after }: Pick<Example, "before" | "after">, things: readonly NamedRecord[]) {
  const kinds = [
    ["l", "loanPolicyId"],
    ["o", "overdueFinePolicyId"],
    ["i", "lostItemPolicyId"],
  ] as const;
  const nameOf = (letter: string, id: string) =>
    things.find((thing) => thing.letter === letter && thing.id === id)?.name ?? id;
  return kinds
    .filter(([, member]) => before[member] !== after[member])
    .map(([letter, member]) => ({ from: nameOf(letter, before[member]), to: nameOf(letter, after[member]) }));
}
