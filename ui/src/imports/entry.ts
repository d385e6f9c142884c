/** The results for one record of an imported file, read from its log entry. Pure. */

import type { ActionStatus, LogEntry, RelatedInfo, Summary } from "../api/imports.ts";

export const ENTITIES = ["source", "instance", "holdings", "item", "authority", "order", "invoice"] as const;
export type Entity = (typeof ENTITIES)[number];

export interface Outcome {
  entity: Entity;
  status?: ActionStatus;
  /** HRID of the record. */
  number?: string;
  /** Path of the page of the created or updated record. */
  path?: string;
  error?: string;
}

/** All results of a log entry, in the order: source record, title, holdings, items, authority, order, invoice. */
export function outcomesOfEntry(entry: LogEntry, isTrial = false): Outcome[] {
  const title = entry.relatedInstanceInfo?.idList?.[0];
  const authority = entry.relatedAuthorityInfo?.idList?.[0];
  const toTitle = title === undefined ? undefined : `/inventory/${title}`;
  return [
    makeOutcome("source", entry.sourceRecordActionStatus, { error: entry.error }),
    relatedOutcome("instance", entry.relatedInstanceInfo, toTitle),
    ...(entry.relatedHoldingsInfo ?? []).map(({ actionStatus, hrid, error }) =>
      makeOutcome("holdings", actionStatus, { number: hrid, path: toTitle, error }),
    ),
    ...(entry.relatedItemInfo ?? []).map(({ actionStatus, hrid, id, error }) =>
      makeOutcome("item", actionStatus, { number: hrid, path: toTitle && id && `${toTitle}/items/${id}`, error }),
    ),
    relatedOutcome("authority", entry.relatedAuthorityInfo, authority && `/authorities/${authority}`),
    relatedOutcome("order", entry.relatedPoLineInfo),
    relatedOutcome("invoice", entry.relatedInvoiceInfo),
  ]
    .filter(({ status, error }) => status !== undefined || error !== undefined)
    .map((one) => (isTrial && one.status === "CREATED" ? withoutPage(one) : one));
}

/** A trial creates no records: their outcomes have no page to link to and no HRID. */
const withoutPage = ({ path: _, number: __, ...rest }: Outcome): Outcome => rest;

function relatedOutcome(entity: Entity, info: RelatedInfo | undefined, path?: string): Outcome {
  return makeOutcome(entity, info?.actionStatus, { number: info?.hridList?.[0], path, error: info?.error });
}

type OutcomeDetails = { [Name in "number" | "path" | "error"]?: string | undefined };

function makeOutcome(
  entity: Entity,
  status: ActionStatus | undefined,
  { number, path, error }: OutcomeDetails,
): Outcome {
  const reason = readableError(error ?? "");
  return {
    entity,
    ...(status && { status }),
    ...(number && { number }),
    // A discarded record has no page.
    ...(path && status !== "DISCARDED" && { path }),
    ...(reason && { error: reason }),
  };
}

/** The readable sentence in the error of a module, taken out of JSON and without Java class names. */
export function readableError(error: string): string {
  const text = error.trim();
  if (text.startsWith("{") || text.startsWith("[")) {
    try {
      const told = findSentence(JSON.parse(text));
      if (told !== undefined) return readableError(told);
    } catch {
      // It only looks like JSON.
    }
  }
  return text.replace(/^(?:[a-z]\w*\.)+\w*(?:Exception|Error):\s*/, "");
}

function findSentence(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(findSentence).filter(Boolean).join(" ") || undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const { error, message, errors, details } = value as Record<string, unknown>;
  return findSentence(error) ?? findSentence(message) ?? findSentence(errors) ?? findSentence(details);
}

/** The errors of a record, each once, with the entities that have it. */
export function errorsByReason(found: readonly Outcome[]): { entities: Entity[]; error: string }[] {
  const byReason = new Map<string, Entity[]>();
  for (const { entity, error } of found) {
    if (error === undefined) continue;
    const entities = byReason.get(error) ?? [];
    if (!entities.includes(entity)) entities.push(entity);
    byReason.set(error, entities);
  }
  return [...byReason].map(([error, entities]) => ({ entities, error }));
}

export interface EntityCounts {
  entity: Entity;
  created: number;
  updated: number;
  discarded: number;
  errors: number;
}

const SUMMARIES: readonly [Entity, keyof Summary][] = [
  ["source", "sourceRecordSummary"],
  ["instance", "instanceSummary"],
  ["holdings", "holdingSummary"],
  ["item", "itemSummary"],
  ["authority", "authoritySummary"],
  ["order", "orderSummary"],
  ["invoice", "invoiceSummary"],
];

/** The counts of each kind of record that the job has handled. */
export function countsByEntity(summary: Summary): EntityCounts[] {
  return SUMMARIES.flatMap(([entity, member]) => {
    const counts = summary[member];
    if (typeof counts !== "object") return [];
    const { totalCreatedEntities: created = 0, totalUpdatedEntities: updated = 0 } = counts;
    const { totalDiscardedEntities: discarded = 0, totalErrors: errors = 0 } = counts;
    return [{ entity, created, updated, discarded, errors }];
  });
}
