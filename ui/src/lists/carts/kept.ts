/**
 * Item lists of each user of each library, kept in this browser: a name, and ids of items in the order in which they
 * were added.
 */

import { store } from "../../shell/store.ts";

export interface Cart {
  name: string;
  ids: string[];
}

const storedCarts = store<Record<string, Cart[]>>(
  {},
  { name: "octavo.item-lists", in: () => localStorage, isShared: true },
);

export const useCarts = (owner: string) => storedCarts.use()[owner] ?? [];

const updateCarts = (owner: string, to: (carts: Cart[]) => Cart[]) =>
  storedCarts.set((now) => ({ ...now, [owner]: to(now[owner] ?? []) }));

/** Does nothing if a list of this name exists. */
export function makeCart(owner: string, name: string): void {
  updateCarts(owner, (carts) =>
    carts.some((cart) => cart.name === name)
      ? carts
      : [...carts, { name, ids: [] }].toSorted((one, other) => one.name.localeCompare(other.name)),
  );
}

export function addToCart(owner: string, name: string, ids: readonly string[]): void {
  updateCarts(owner, (carts) =>
    carts.map((cart) => (cart.name === name ? { name, ids: [...new Set([...cart.ids, ...ids])] } : cart)),
  );
}

export function removeFromCart(owner: string, name: string, ids: readonly string[]): void {
  updateCarts(owner, (carts) =>
    carts.map((cart) => (cart.name === name ? { name, ids: cart.ids.filter((id) => !ids.includes(id)) } : cart)),
  );
}

export function removeCart(owner: string, name: string): void {
  updateCarts(owner, (carts) => carts.filter((cart) => cart.name !== name));
}
