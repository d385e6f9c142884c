/** Queries about one item: what it is, who has or had it, who waits for it. */

import { queryOptions } from "@tanstack/react-query";
import { is, sorted } from "./cql.ts";
import { ask } from "./http.ts";
import type { Item } from "./inventory.ts";
import { list } from "./list.ts";
import type { User } from "./records.ts";

/** So many loans are listed, the newest first. */
export const LOANS = 100;
const MANY = 1000;

export const item = (id: string) =>
  queryOptions({ queryKey: ["item", id], queryFn: () => ask<Item>(`/inventory/items/${id}`) });

export const loansOfItem = (id: string) =>
  queryOptions({
    queryKey: ["item", id, "loans"],
    queryFn: () =>
      list("/circulation/loans", { query: sorted(is("itemId", id), "loanDate/sort.descending"), limit: LOANS }),
  });

export const requestsOfItem = (id: string) =>
  queryOptions({
    queryKey: ["requests", "item", id],
    queryFn: async () => {
      const query = sorted(`${is("itemId", id)} and status="Open"`, "position");
      return (await list("/circulation/requests", { query, limit: MANY })).requests;
    },
  });

export const staffMember = (id: string) =>
  queryOptions({ queryKey: ["staff", id], retry: false, queryFn: () => ask<User>(`/users/${id}`) });
