/**
 * What keeps a record from being deleted. The server refuses while other records of the inventory refer to it; of loans, requests and
 * statuses it knows nothing there, so they are looked up here, as FOLIO's own interface does.
 */

import { all, is } from "../../api/cql.ts";
import { ask, Refused, refusing } from "../../api/http.ts";
import type { Item } from "../../api/inventory.ts";
import { list } from "../../api/list.ts";
import type { Words } from "../../words/en.ts";
import type { LinkedWords } from "../words/linked-en.ts";

type May = (...permissions: string[]) => boolean;

/** Somebody has it, expects it or waits for it. Of a lost item that is no longer anybody's loan that is not so. */
const NOT_DELETED = ["Checked out", "Claimed returned", "On order", "Awaiting pickup", "Awaiting delivery", "Paged"];

const HOW_MANY = { limit: 0 };

/** Throws what stands against deleting an item. */
export async function refuseItem(id: string, may: May, own: LinkedWords["remove"], words: Words): Promise<void> {
  const { status } = await ask<Item>(`/inventory/items/${id}`);
  const reasons: string[] = [];
  if (may("circulation.loans.collection.get")) {
    const query = all(is("itemId", id), 'status.name=="Open"');
    if ((await list("/circulation/loans", { query, ...HOW_MANY })).totalRecords > 0) reasons.push(own.lent);
  }
  if (reasons.length === 0 && NOT_DELETED.includes(status.name)) {
    reasons.push(own.status(words.statuses[status.name] ?? status.name));
  }
  reasons.push(...(await requests("itemId", id, may, own)));
  refuse(reasons);
}

/** Patrons may wait for any copy of a title, where it has none yet. */
export async function refuseTitle(id: string, may: May, own: LinkedWords["remove"]): Promise<void> {
  refuse(await requests("instanceId", id, may, own));
}

async function requests(member: string, id: string, may: May, own: LinkedWords["remove"]): Promise<string[]> {
  if (!may("circulation.requests.collection.get")) return [];
  const query = all(is(member, id), 'status="Open"');
  const { totalRecords } = await list("/circulation/requests", { query, ...HOW_MANY });
  return totalRecords > 0 ? [own.requested(totalRecords)] : [];
}

function refuse(reasons: readonly string[]): void {
  if (reasons.length > 0)
    throw new Refused(
      422,
      reasons.map((message) => ({ message, isWorded: true })),
    );
}

/** The server names the table whose records still refer to this one. */
export function inOwnWords(error: unknown, own: LinkedWords["remove"]): unknown {
  if (!(error instanceof Refused)) return error;
  const [, table] = /still referenced from table "?(\w+)/.exec(error.message) ?? [];
  if (table === undefined) return error;
  return refusing(error.status, own.needed[table] ?? own.neededElse(table));
}
