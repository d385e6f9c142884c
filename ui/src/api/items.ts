/** Queries about one item: its record, its loans and its requests. */

import { queryOptions } from "@tanstack/react-query";
import { equals, sortBy } from "./cql.ts";
import { ask } from "./http.ts";
import type { Item } from "./inventory.ts";
import { list } from "./list.ts";
import type { User } from "./records.ts";

/** The page of an item lists at most so many loans, the newest first. */
export const MAX_LOANS = 100;
const MAX_RECORDS = 1000;

export const item = (id: string) =>
  queryOptions({ queryKey: ["item", id], queryFn: () => ask<Item>(`/inventory/items/${id}`) });

export const loansOfItem = (id: string) =>
  queryOptions({
    queryKey: ["item", id, "loans"],
    queryFn: () =>
      list("/circulation/loans", { query: sortBy(equals("itemId", id), "loanDate/sort.descending"), limit: MAX_LOANS }),
  });

export const requestsOfItem = (id: string) =>
  queryOptions({
    queryKey: ["requests", "item", id],
    queryFn: async () => {
      const query = sortBy(`${equals("itemId", id)} and status="Open"`, "position");
      return (await list("/circulation/requests", { query, limit: MAX_RECORDS })).requests;
    },
  });

export const staffMember = (id: string) =>
  queryOptions({ queryKey: ["staff", id], retry: false, queryFn: () => ask<User>(`/users/${id}`) });
