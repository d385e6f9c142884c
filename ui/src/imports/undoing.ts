/** Counts and reasons of undoing a job. Pure. */

import type { NotUndoneRecord, UndoPreview } from "../api/imports.ts";
import type { ImportWords } from "./words/en.ts";

/** Records that stay for one reason, with some of their record numbers. */
export interface RecordsThatStay {
  reason: string;
  count: number;
  /** Record numbers, counted from one as in the log. */
  numbers: number[];
}

export interface UndoForecast {
  checked: number;
  entities: { entityType: string; removed: number; restored: number }[];
  stays: RecordsThatStay[];
}

export const EMPTY_FORECAST: UndoForecast = { checked: 0, entities: [], stays: [] };
const MAX_NUMBERS = 20;

export function addPage(before: UndoForecast, page: UndoPreview): UndoForecast {
  const entities = before.entities.map((one) => ({ ...one }));
  for (const { entityType, removed, restored } of page.entities) {
    const known = entities.find((one) => one.entityType === entityType);
    if (known === undefined) entities.push({ entityType, removed, restored });
    else {
      known.removed += removed;
      known.restored += restored;
    }
  }
  return { checked: before.checked + page.records, entities, stays: groupByReason(page.notUndone, before.stays) };
}

export function groupByReason(
  kept: readonly NotUndoneRecord[],
  before: readonly RecordsThatStay[] = [],
): RecordsThatStay[] {
  const all = new Map(before.map((one) => [one.reason, { ...one, numbers: [...one.numbers] }]));
  for (const { recordOrder, reason } of kept) {
    const one = all.get(reason) ?? { reason, count: 0, numbers: [] };
    one.count += 1;
    if (one.numbers.length < MAX_NUMBERS) one.numbers.push(recordOrder + 1);
    all.set(reason, one);
  }
  return [...all.values()].map((one) => ({ ...one, numbers: one.numbers.toSorted((a, b) => a - b) }));
}

export const countRecords = (stays: readonly RecordsThatStay[]) => stays.reduce((sum, { count }) => sum + count, 0);

type KnownReason = keyof ImportWords["undo"]["reasons"];

const PATTERNS: Record<KnownReason, RegExp> = {
  item: /^the item was changed/,
  holdings: /^the holdings record was changed/,
  instance: /^the instance was changed/,
  authority: /^the authority was changed/,
  moreItems: /^its holdings have got more items/,
  moreHoldings: /^its instance has got more holdings/,
  marc: /^its MARC record was changed/,
  referred: /^other records refer to/,
};

/** undefined if there is no explanation: the message of the server is shown. */
export function explainUndoReason(reason: string, words: ImportWords["undo"]["reasons"]): string | undefined {
  const found = (Object.entries(PATTERNS) as [KnownReason, RegExp][]).find(([, pattern]) => pattern.test(reason));
  return found && words[found[0]];
}
