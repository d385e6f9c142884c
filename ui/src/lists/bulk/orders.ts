/** A change of one record, as data: it is kept in the browser until the server has answered, and survives reloads. */

import { ask } from "../../api/http.ts";
import type { Item } from "../../api/inventory.ts";
import type { Loan, PatronRequest } from "../../api/records.ts";
import { renewLoan } from "../../loans/renew.ts";
import { changeItem, type ItemChange, type ItemUndo, isChangeApplied, undoItem } from "./items.ts";

export type BulkOrder =
  | { do: "renew"; loanId: string; itemId: string; userId: string; renewals: number }
  | { do: "loan"; loanId: string; path: string; body: object; becomes?: string | undefined }
  /** Members that are null are removed from the request. */
  | { do: "request"; id: string; change: Record<string, unknown> }
  | { do: "move"; id: string; body: { destinationItemId: string; requestType: string } }
  /** `sameNotes`: how many notes like the one to add the item has already. */
  | { do: "item"; id: string; change: ItemChange; sameNotes?: number }
  | { do: "undo"; id: string; undone: ItemUndo };

/** The result of a change: the new due date, and how to undo it. */
export interface OrderResult {
  dueDate?: string;
  /** The order that undoes this one. */
  undo?: BulkOrder;
}

/** With this header the server decides as usual but stores nothing. */
const DRY_RUN_HEADERS = { "x-octavo-dry-run": "true" };

export async function carryOut(order: BulkOrder, isTrial = false): Promise<OrderResult> {
  const headers = isTrial ? DRY_RUN_HEADERS : {};
  switch (order.do) {
    case "renew": {
      const { itemId, userId } = order;
      const body = { itemId, userId };
      const loan = isTrial
        ? await ask<Loan>("/circulation/renew-by-id", { method: "POST", body, headers })
        : await renewLoan(body);
      return { dueDate: loan.dueDate };
    }
    case "loan":
      await ask(`/circulation/loans/${order.loanId}/${order.path}`, { method: "POST", body: order.body, headers });
      return {};
    case "request": {
      const path = `/circulation/requests/${order.id}`;
      const stored = await ask<object>(path);
      const changed = Object.entries({ ...stored, ...order.change }).filter(([, value]) => value !== null);
      await ask(path, { method: "PUT", body: Object.fromEntries(changed), headers });
      return {};
    }
    case "move":
      await ask(`/circulation/requests/${order.id}/move`, { method: "POST", body: order.body, headers });
      return {};
    case "item": {
      const undone = await changeItem(order.id, order.change);
      return { undo: { do: "undo", id: order.id, undone } };
    }
    case "undo":
      await undoItem(order.id, order.undone);
      return {};
  }
}

/** Changes of items cannot be tried: the server's dry run is for circulation only. */
export const canBeTried = (order: BulkOrder) => order.do !== "item" && order.do !== "undo";

/** Whether an order whose answer was lost has been carried out, judged by the record as it is now. */
export async function isCarriedOut(order: BulkOrder): Promise<boolean> {
  switch (order.do) {
    case "renew": {
      const loan = await ask<Loan>(`/circulation/loans/${order.loanId}`);
      return (loan.renewalCount ?? 0) > order.renewals;
    }
    case "loan": {
      if (order.becomes === undefined) return false;
      const loan = await ask<Loan>(`/circulation/loans/${order.loanId}`);
      return loan.item?.status?.name === order.becomes;
    }
    case "request": {
      const stored = await ask<Record<string, unknown>>(`/circulation/requests/${order.id}`);
      return Object.entries(order.change).every(([name, value]) => isSameValue(stored[name], value));
    }
    case "move": {
      const stored = await ask<PatronRequest>(`/circulation/requests/${order.id}`);
      return stored.itemId === order.body.destinationItemId;
    }
    case "item":
      return isChangeApplied(await ask<Item>(`/inventory/items/${order.id}`), order.change, order.sameNotes);
    case "undo":
      return isChangeApplied(await ask<Item>(`/inventory/items/${order.id}`), order.undone.before);
  }
}

function isSameValue(stored: unknown, wanted: unknown): boolean {
  if (wanted === null) return stored === undefined;
  const areInstants = [stored, wanted].every((value) => /^\d{4}-\d\d-\d\dT/.test(String(value)));
  // Instants are compared as times: the server may write the same instant differently.
  return areInstants ? Date.parse(String(stored)) === Date.parse(String(wanted)) : stored === wanted;
}
