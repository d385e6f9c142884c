/** What became of one record of a file, read from its entry in the log. Pure. */

import type { ActionStatus, LogEntry, RelatedInfo, Summary } from "../api/imports.ts";

export const ENTITIES = ["source", "instance", "holdings", "item", "authority", "order", "invoice"] as const;
export type Entity = (typeof ENTITIES)[number];

export interface Outcome {
  entity: Entity;
  status?: ActionStatus;
  /** What people know it by. */
  number?: string;
  /** The page of what was made or changed. */
  path?: string;
  error?: string;
}

/** All that is told of a record, in the order in which records hang together. */
export function outcomes(entry: LogEntry, isTrial = false): Outcome[] {
  const title = entry.relatedInstanceInfo?.idList?.[0];
  const authority = entry.relatedAuthorityInfo?.idList?.[0];
  const toTitle = title === undefined ? undefined : `/inventory/${title}`;
  return [
    outcome("source", entry.sourceRecordActionStatus, { error: entry.error }),
    related("instance", entry.relatedInstanceInfo, toTitle),
    ...(entry.relatedHoldingsInfo ?? []).map(({ actionStatus, hrid, error }) =>
      outcome("holdings", actionStatus, { number: hrid, path: toTitle, error }),
    ),
    ...(entry.relatedItemInfo ?? []).map(({ actionStatus, hrid, id, error }) =>
      outcome("item", actionStatus, { number: hrid, path: toTitle && id && `${toTitle}/items/${id}`, error }),
    ),
    related("authority", entry.relatedAuthorityInfo, authority && `/authorities/${authority}`),
    related("order", entry.relatedPoLineInfo),
    related("invoice", entry.relatedInvoiceInfo),
  ]
    .filter(({ status, error }) => status !== undefined || error !== undefined)
    .map((one) => (isTrial && one.status === "CREATED" ? withoutPage(one) : one));
}

/** A trial makes nothing, and gives no numbers. */
const withoutPage = ({ path: _, number: __, ...rest }: Outcome): Outcome => rest;

function related(entity: Entity, info: RelatedInfo | undefined, path?: string): Outcome {
  return outcome(entity, info?.actionStatus, { number: info?.hridList?.[0], path, error: info?.error });
}

type More = { [Name in "number" | "path" | "error"]?: string | undefined };

function outcome(entity: Entity, status: ActionStatus | undefined, { number, path, error }: More): Outcome {
  const reason = reasonOf(error ?? "");
  return {
    entity,
    ...(status && { status }),
    ...(number && { number }),
    // What was not made has no page.
    ...(path && status !== "DISCARDED" && { path }),
    ...(reason && { error: reason }),
  };
}

/** The sentence within what a module has thrown: out of JSON, and without the names of its classes. */
export function reasonOf(error: string): string {
  const text = error.trim();
  if (text.startsWith("{") || text.startsWith("[")) {
    try {
      const told = sentenceIn(JSON.parse(text));
      if (told !== undefined) return reasonOf(told);
    } catch {
      // It only looks like JSON.
    }
  }
  return text.replace(/^(?:[a-z]\w*\.)+\w*(?:Exception|Error):\s*/, "");
}

function sentenceIn(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(sentenceIn).filter(Boolean).join(" ") || undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const { error, message, errors, details } = value as Record<string, unknown>;
  return sentenceIn(error) ?? sentenceIn(message) ?? sentenceIn(errors) ?? sentenceIn(details);
}

/** What is wrong with a record, each reason once, with what it is about. */
export function mistakes(found: readonly Outcome[]): { entities: Entity[]; error: string }[] {
  const byReason = new Map<string, Entity[]>();
  for (const { entity, error } of found) {
    if (error === undefined) continue;
    const entities = byReason.get(error) ?? [];
    if (!entities.includes(entity)) entities.push(entity);
    byReason.set(error, entities);
  }
  return [...byReason].map(([error, entities]) => ({ entities, error }));
}

export interface Line {
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

/** Of each entity with which a job had to do. */
export function lines(summary: Summary): Line[] {
  return SUMMARIES.flatMap(([entity, member]) => {
    const counts = summary[member];
    if (typeof counts !== "object") return [];
    const { totalCreatedEntities: created = 0, totalUpdatedEntities: updated = 0 } = counts;
    const { totalDiscardedEntities: discarded = 0, totalErrors: errors = 0 } = counts;
    return [{ entity, created, updated, discarded, errors }];
  });
}
