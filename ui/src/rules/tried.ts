/** The loans that other rules would have treated otherwise, as the server's simulation tells of them, with what they are called. */

import { isAnyOf } from "../api/cql.ts";
import { ask, Refused } from "../api/http.ts";
import type { RulesSimulation } from "../api/octavo.ts";
import type { Loan } from "../api/records.ts";
import { borrowerName } from "../parts/portrait.tsx";
import type { Thing } from "./named.ts";

/** The server gives no more loans one by one; it counts all of them. */
export const MOST = 100;

/** What a side decides: the line of the rules, the policies, and when the loan is due or why there is none. */
export interface Side {
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
  before: Side;
  after: Side;
}

export interface TriedLoan extends Example {
  title: string;
  barcode: string;
  patron: string;
  group: string;
}

export interface Tried {
  /** The rules that were tried. */
  text: string;
  days: number;
  loans: number;
  changed: number;
  changes: Record<string, number>;
  rows: TriedLoan[];
}

export async function tryOnLoans(rulesAsText: string, days: number): Promise<Tried> {
  const body = { rulesAsText, days, examples: MOST };
  const answer = await ask<RulesSimulation>("/octavo/rules/simulate", { method: "POST", body });
  const examples = answer.examples as unknown as Example[];
  const loans = await named(examples.map(({ loanId }) => loanId)).catch(unlessForbidden);
  const rows = examples.map((example): TriedLoan => {
    const loan = loans.get(example.loanId);
    return {
      ...example,
      title: loan?.item?.title ?? "",
      barcode: loan?.item?.barcode ?? "",
      patron: loan ? borrowerName(loan) : "",
      group: loan?.patronGroupAtCheckout?.name ?? "",
    };
  });
  return { ...answer, text: rulesAsText, rows };
}

/** Whoever may not read loans sees what would change without titles and names. */
function unlessForbidden(error: unknown): Map<string, Loan> {
  if (error instanceof Refused && error.status === 403) return new Map();
  throw error;
}

/** Addresses have an end: so many ids at once. */
const AT_ONCE = 50;

async function named(ids: string[]): Promise<Map<string, Loan>> {
  const found = new Map<string, Loan>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const query = { query: isAnyOf("id", ids.slice(from, from + AT_ONCE)), limit: AT_ONCE };
    const { loans } = await ask<{ loans: Loan[] }>("/circulation/loans", { query });
    for (const loan of loans) found.set(loan.id, loan);
  }
  return found;
}

/** The policies that differ, by name: the loan policy first. */
export function policyChange({ before, after }: Pick<Example, "before" | "after">, things: readonly Thing[]) {
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
