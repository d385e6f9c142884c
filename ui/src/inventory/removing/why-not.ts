/**
 * Checks what prevents a record from being deleted. The server refuses if other inventory records refer to it. It does
 * not check loans, requests and item statuses, so these are checked here, as FOLIO's own user interface does.
 */

import { and, equals } from "../../api/cql.ts";
import { ask, createRefusal, Refused } from "../../api/http.ts";
import type { Item } from "../../api/inventory.ts";
import { list } from "../../api/list.ts";
import type { Words } from "../../words/en.ts";
import type { LinkedWords } from "../words/linked-en.ts";

type May = (...permissions: string[]) => boolean;

/** Statuses of items that somebody has, expects or waits for. A lost item whose loan is closed can be deleted. */
const UNDELETABLE_STATUSES = [
  "Checked out",
  "Claimed returned",
  "On order",
  "Awaiting pickup",
  "Awaiting delivery",
  "Paged",
];

const COUNT_ONLY = { limit: 0 };

/** Throws a refusal with the reasons that prevent an item from being deleted. */
export async function throwIfItemInUse(id: string, may: May, own: LinkedWords["remove"], words: Words): Promise<void> {
  const { status } = await ask<Item>(`/inventory/items/${id}`);
  const reasons: string[] = [];
  if (may("circulation.loans.collection.get")) {
    const query = and(equals("itemId", id), 'status.name=="Open"');
    if ((await list("/circulation/loans", { query, ...COUNT_ONLY })).totalRecords > 0) reasons.push(own.lent);
  }
  if (reasons.length === 0 && UNDELETABLE_STATUSES.includes(status.name)) {
    reasons.push(own.status(words.statuses[status.name] ?? status.name));
  }
  reasons.push(...(await requestReasons("itemId", id, may, own)));
  throwReasons(reasons);
}

/** Throws a refusal if there are open requests for the title, which are possible before it has items. */
export async function throwIfTitleRequested(id: string, may: May, own: LinkedWords["remove"]): Promise<void> {
  throwReasons(await requestReasons("instanceId", id, may, own));
}

async function requestReasons(member: string, id: string, may: May, own: LinkedWords["remove"]): Promise<string[]> {
  if (!may("circulation.requests.collection.get")) return [];
  const query = and(equals(member, id), 'status="Open"');
  const { totalRecords } = await list("/circulation/requests", { query, ...COUNT_ONLY });
  return totalRecords > 0 ? [own.requested(totalRecords)] : [];
}

function throwReasons(reasons: readonly string[]): void {
  if (reasons.length > 0)
    throw new Refused(
      422,
      reasons.map((message) => ({ message, isWorded: true })),
    );
}

/** The server names the database table with records that still refer to this one. */
export function translateDeleteError(error: unknown, own: LinkedWords["remove"]): unknown {
  if (!(error instanceof Refused)) return error;
  const [, table] = /still referenced from table "?(\w+)/.exec(error.message) ?? [];
  if (table === undefined) return error;
  return createRefusal(error.status, own.needed[table] ?? own.neededElse(table));
}
