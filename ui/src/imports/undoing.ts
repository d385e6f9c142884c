/** What undoing a job does, counted and by reasons. Pure. */

import type { Kept, UndoPreview } from "../api/imports.ts";
import type { ImportWords } from "./words/en.ts";

/** Records that stay for one reason; only some of their numbers are kept. */
export interface Stays {
  reason: string;
  count: number;
  /** As the log counts: from one. */
  numbers: number[];
}

export interface Foreseen {
  looked: number;
  entities: { entityType: string; removed: number; restored: number }[];
  stays: Stays[];
}

export const NOTHING_YET: Foreseen = { looked: 0, entities: [], stays: [] };
const NUMBERS = 20;

export function withPage(before: Foreseen, page: UndoPreview): Foreseen {
  const entities = before.entities.map((one) => ({ ...one }));
  for (const { entityType, removed, restored } of page.entities) {
    const known = entities.find((one) => one.entityType === entityType);
    if (known === undefined) entities.push({ entityType, removed, restored });
    else {
      known.removed += removed;
      known.restored += restored;
    }
  }
  return { looked: before.looked + page.records, entities, stays: byReason(page.notUndone, before.stays) };
}

export function byReason(kept: readonly Kept[], before: readonly Stays[] = []): Stays[] {
  const all = new Map(before.map((one) => [one.reason, { ...one, numbers: [...one.numbers] }]));
  for (const { recordOrder, reason } of kept) {
    const one = all.get(reason) ?? { reason, count: 0, numbers: [] };
    one.count += 1;
    if (one.numbers.length < NUMBERS) one.numbers.push(recordOrder + 1);
    all.set(reason, one);
  }
  return [...all.values()].map((one) => ({ ...one, numbers: one.numbers.toSorted((a, b) => a - b) }));
}

export const countOf = (stays: readonly Stays[]) => stays.reduce((sum, { count }) => sum + count, 0);

type Known = keyof ImportWords["undo"]["reasons"];

const KNOWN: Record<Known, RegExp> = {
  item: /^the item was changed/,
  holdings: /^the holdings record was changed/,
  instance: /^the instance was changed/,
  authority: /^the authority was changed/,
  moreItems: /^its holdings have got more items/,
  moreHoldings: /^its instance has got more holdings/,
  marc: /^its MARC record was changed/,
  referred: /^other records refer to/,
};

/** `undefined` where the server's own words are the best that there are. */
export function inUndoWords(reason: string, words: ImportWords["undo"]["reasons"]): string | undefined {
  const found = (Object.entries(KNOWN) as [Known, RegExp][]).find(([, pattern]) => pattern.test(reason));
  return found && words[found[0]];
}
