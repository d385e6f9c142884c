/** Who may borrow for whom. */

import { queryOptions } from "@tanstack/react-query";
import { all, any, is, isAnyOf } from "./cql.ts";
import { ask } from "./http.ts";
import { list } from "./list.ts";
import type { ProxyOf, User } from "./records.ts";

const MANY = 1000;

/** One end of it: somebody is the sponsor for whom another, the proxy, borrows. */
export interface Relation {
  record: ProxyOf;
  /** Who stands at the other end; undefined if they have been deleted. */
  other: User | undefined;
  /** What the other one is. */
  role: "sponsor" | "proxy";
}

export const relations = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "relations"],
    queryFn: async (): Promise<Relation[]> => {
      const query = any(is("userId", userId), is("proxyUserId", userId));
      const { proxiesFor } = await list("/proxiesfor", { query, limit: MANY });
      const ids = [...new Set(proxiesFor.map((record) => otherOf(record, userId)))].filter(Boolean);
      const users = ids.length === 0 ? [] : (await list("/users", { query: isAnyOf("id", ids), limit: MANY })).users;
      return proxiesFor.map((record) => ({
        record,
        other: users.find(({ id }) => id === otherOf(record, userId)),
        role: record.proxyUserId === userId ? "sponsor" : "proxy",
      }));
    },
  });

/** What somebody has on loan and owes. */
export interface Standing {
  loans: number;
  overdue: number;
  owed: number;
}

/** Of each of these patrons; somebody with nothing is not in it. */
export const standings = (userIds: string[]) =>
  queryOptions({
    queryKey: ["patron", "standings", userIds],
    queryFn: async (): Promise<Map<string, Standing>> => {
      const open = all(isAnyOf("userId", userIds), is("status.name", "Open"));
      const [{ loans }, { accounts }] = await Promise.all([
        list("/circulation/loans", { query: open, limit: MANY }),
        list("/accounts", { query: open, limit: MANY }),
      ]);
      const found = new Map<string, Standing>();
      const of = (userId: string) => {
        const standing = found.get(userId) ?? { loans: 0, overdue: 0, owed: 0 };
        found.set(userId, standing);
        return standing;
      };
      for (const { userId = "", dueDate } of loans) {
        const standing = of(userId);
        standing.loans += 1;
        if (dueDate !== undefined && Date.parse(dueDate) < Date.now()) standing.overdue += 1;
      }
      for (const { userId, remaining } of accounts) of(userId).owed += remaining;
      return found;
    },
    enabled: userIds.length > 0,
  });

const otherOf = ({ userId, proxyUserId = "" }: ProxyOf, one: string) =>
  proxyUserId === one ? (userId ?? "") : proxyUserId;

export function keepRelation(record: Omit<ProxyOf, "id"> & { id?: string }): Promise<unknown> {
  if (record.id === undefined) return ask("/proxiesfor", { method: "POST", body: record });
  return ask(`/proxiesfor/${record.id}`, { method: "PUT", body: record });
}

export const removeRelation = (id: string) => ask(`/proxiesfor/${id}`, { method: "DELETE" });
