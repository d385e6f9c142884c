/** Who may borrow for whom. */

import { queryOptions } from "@tanstack/react-query";
import { any, is, isAnyOf } from "./cql.ts";
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

const otherOf = ({ userId, proxyUserId = "" }: ProxyOf, one: string) =>
  proxyUserId === one ? (userId ?? "") : proxyUserId;

export function keepRelation(record: Omit<ProxyOf, "id"> & { id?: string }): Promise<unknown> {
  if (record.id === undefined) return ask("/proxiesfor", { method: "POST", body: record });
  return ask(`/proxiesfor/${record.id}`, { method: "PUT", body: record });
}

export const removeRelation = (id: string) => ask(`/proxiesfor/${id}`, { method: "DELETE" });
