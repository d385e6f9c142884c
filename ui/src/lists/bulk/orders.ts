/** What is done to one record, as data: it is kept in the browser until the server has answered, and through reloads. */

import { ask } from "../../api/http.ts";
import type { Item } from "../../api/inventory.ts";
import type { Loan, PatronRequest } from "../../api/records.ts";
import { renew } from "../../loans/renew.ts";
import { changeItem, type ItemChange, isAsWanted, type Undone, undoItem } from "./items.ts";

export type Order =
  | { do: "renew"; loanId: string; itemId: string; userId: string; renewals: number }
  | { do: "loan"; loanId: string; path: string; body: object; becomes?: string | undefined }
  /** What is null is taken out of the request. */
  | { do: "request"; id: string; change: Record<string, unknown> }
  | { do: "move"; id: string; body: { destinationItemId: string; requestType: string } }
  | { do: "item"; id: string; change: ItemChange }
  | { do: "undo"; id: string; undone: Undone };

/** What the server has made of it, as far as somebody wants to know. */
export interface Answer {
  dueDate?: string;
  /** How it is put back. */
  undo?: Order;
}

/** The server decides, and leaves everything as it is. */
const TRIAL = { "x-octavo-dry-run": "true" };

export async function carriedOut(order: Order, isTrial = false): Promise<Answer> {
  const headers = isTrial ? TRIAL : {};
  switch (order.do) {
    case "renew": {
      const { itemId, userId } = order;
      const body = { itemId, userId };
      const loan = isTrial
        ? await ask<Loan>("/circulation/renew-by-id", { method: "POST", body, headers })
        : await renew(body);
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

/** Changes of items are no decisions of circulation: the server tries none of them. */
export const canBeTried = (order: Order) => order.do !== "item" && order.do !== "undo";

/** Whether an order whose answer was lost on the way has been carried out: the record tells. */
export async function isCarriedOut(order: Order): Promise<boolean> {
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
      return Object.entries(order.change).every(([name, value]) => same(stored[name], value));
    }
    case "move": {
      const stored = await ask<PatronRequest>(`/circulation/requests/${order.id}`);
      return stored.itemId === order.body.destinationItemId;
    }
    case "item":
      return isAsWanted(await ask<Item>(`/inventory/items/${order.id}`), order.change);
    case "undo":
      return isAsWanted(await ask<Item>(`/inventory/items/${order.id}`), order.undone.before);
  }
}

function same(stored: unknown, wanted: unknown): boolean {
  if (wanted === null) return stored === undefined;
  const areInstants = [stored, wanted].every((value) => /^\d{4}-\d\d-\d\dT/.test(String(value)));
  // The server writes the same instant in its own way.
  return areInstants ? Date.parse(String(stored)) === Date.parse(String(wanted)) : stored === wanted;
}
