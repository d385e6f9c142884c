/** Proxies and sponsors: who may borrow for whom. */

import { queryOptions } from "@tanstack/react-query";
import { and, equals, isAnyOf, or } from "./cql.ts";
import { ask } from "./http.ts";
import { list } from "./list.ts";
import type { ProxyRecord, User } from "./records.ts";

const MAX_RECORDS = 1000;

/** A proxy relationship as seen from one of its two patrons. The proxy borrows for the sponsor. */
export interface ProxyRelationship {
  record: ProxyRecord;
  /** The patron at the other end; undefined if they have been deleted. */
  other: User | undefined;
  /** What the other patron is: the sponsor or the proxy. */
  role: "sponsor" | "proxy";
}

export const proxyRelationships = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "relations"],
    queryFn: async (): Promise<ProxyRelationship[]> => {
      const query = or(equals("userId", userId), equals("proxyUserId", userId));
      const { proxiesFor } = await list("/proxiesfor", { query, limit: MAX_RECORDS });
      const ids = [...new Set(proxiesFor.map((record) => otherUserId(record, userId)))].filter(Boolean);
      const users =
        ids.length === 0 ? [] : (await list("/users", { query: isAnyOf("id", ids), limit: MAX_RECORDS })).users;
      return proxiesFor.map((record) => ({
        record,
        other: users.find(({ id }) => id === otherUserId(record, userId)),
        role: record.proxyUserId === userId ? "sponsor" : "proxy",
      }));
    },
  });

/** How many items a patron has on loan and overdue, and the amount that they owe. */
export interface AccountSummary {
  loans: number;
  overdue: number;
  owed: number;
}

/** The summaries of these patrons, by user id; a patron without loans and fees is not in the map. */
export const accountSummaries = (userIds: string[]) =>
  queryOptions({
    queryKey: ["patron", "standings", userIds],
    queryFn: async (): Promise<Map<string, AccountSummary>> => {
      const open = and(isAnyOf("userId", userIds), equals("status.name", "Open"));
      const [{ loans }, { accounts }] = await Promise.all([
        list("/circulation/loans", { query: open, limit: MAX_RECORDS }),
        list("/accounts", { query: open, limit: MAX_RECORDS }),
      ]);
      const found = new Map<string, AccountSummary>();
      const summaryOf = (userId: string) => {
        const standing = found.get(userId) ?? { loans: 0, overdue: 0, owed: 0 };
        found.set(userId, standing);
        return standing;
      };
      for (const { userId = "", dueDate } of loans) {
        const standing = summaryOf(userId);
        standing.loans += 1;
        if (dueDate !== undefined && Date.parse(dueDate) < Date.now()) standing.overdue += 1;
      }
      for (const { userId, remaining } of accounts) summaryOf(userId).owed += remaining;
      return found;
    },
    enabled: userIds.length > 0,
  });

const otherUserId = ({ userId, proxyUserId = "" }: ProxyRecord, one: string) =>
  proxyUserId === one ? (userId ?? "") : proxyUserId;

export function storeProxy(record: Omit<ProxyRecord, "id"> & { id?: string }): Promise<unknown> {
  if (record.id === undefined) return ask("/proxiesfor", { method: "POST", body: record });
  return ask(`/proxiesfor/${record.id}`, { method: "PUT", body: record });
}

export const deleteProxy = (id: string) => ask(`/proxiesfor/${id}`, { method: "DELETE" });
