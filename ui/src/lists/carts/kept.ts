/** Item lists by name, in this browser, each for one user of one library: the ids of items in the order in which they came. */

import { store } from "../../shell/store.ts";

export interface Cart {
  name: string;
  ids: string[];
}

const kept = store<Record<string, Cart[]>>({}, { name: "octavo.item-lists", in: () => localStorage });

export const useCarts = (owner: string) => kept.use()[owner] ?? [];

const change = (owner: string, to: (carts: Cart[]) => Cart[]) =>
  kept.set((now) => ({ ...now, [owner]: to(now[owner] ?? []) }));

/** Nothing happens where there is one of this name. */
export function makeCart(owner: string, name: string): void {
  change(owner, (carts) =>
    carts.some((cart) => cart.name === name)
      ? carts
      : [...carts, { name, ids: [] }].toSorted((one, other) => one.name.localeCompare(other.name)),
  );
}

export function addTo(owner: string, name: string, ids: readonly string[]): void {
  change(owner, (carts) =>
    carts.map((cart) => (cart.name === name ? { name, ids: [...new Set([...cart.ids, ...ids])] } : cart)),
  );
}

export function takeFrom(owner: string, name: string, ids: readonly string[]): void {
  change(owner, (carts) =>
    carts.map((cart) => (cart.name === name ? { name, ids: cart.ids.filter((id) => !ids.includes(id)) } : cart)),
  );
}

export function removeCart(owner: string, name: string): void {
  change(owner, (carts) => carts.filter((cart) => cart.name !== name));
}
