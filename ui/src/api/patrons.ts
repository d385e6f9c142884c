/** What the desk asks about a patron. */

import { queryOptions } from "@tanstack/react-query";
import { all, any, begins, contains, is, isAnyOf, sorted } from "./cql.ts";
import { ask } from "./http.ts";
import type { Account, AutomatedBlock, Loan, ManualBlock, Note, PatronRequest, ProxyOf, User } from "./records.ts";

const MANY = 1000;

const users = (query: string, limit = 20) =>
  ask<{ users: User[]; totalRecords: number }>("/users", { query: { query, limit } });

/** By what is on the card first; if that is nobody, by name. */
export async function findPatrons(text: string): Promise<User[]> {
  const onCard = await users(any(...["barcode", "externalSystemId", "username"].map((field) => is(field, text))));
  if (onCard.users.length > 0) return onCard.users;
  return (await users(sorted(byName(text), "personal.lastName personal.firstName"))).users;
}

/** Every word begins one of the names. */
export function byName(text: string): string {
  const fields = ["personal.lastName", "personal.firstName", "personal.preferredFirstName"];
  return all(
    ...text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((word) => any(...fields.map((field) => begins(field, word)))),
  );
}

export const patron = (id: string) =>
  queryOptions({ queryKey: ["patron", id], queryFn: () => ask<User>(`/users/${id}`) });

export const openLoans = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "loans"],
    queryFn: async () => {
      const query = sorted(all(is("userId", userId), is("status.name", "Open")), "dueDate");
      return ask<{ loans: Loan[]; totalRecords: number }>("/circulation/loans", { query: { query, limit: MANY } });
    },
  });

export const openRequests = (requesterId: string) =>
  queryOptions({
    queryKey: ["patron", requesterId, "requests"],
    queryFn: async () => {
      const query = sorted(all(is("requesterId", requesterId), contains("status", "Open")), "requestDate");
      const answer = await ask<{ requests: PatronRequest[] }>("/circulation/requests", {
        query: { query, limit: MANY },
      });
      return answer.requests;
    },
  });

export const openAccounts = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "accounts"],
    queryFn: async () => {
      const query = all(is("userId", userId), is("status.name", "Open"));
      return (await ask<{ accounts: Account[] }>("/accounts", { query: { query, limit: MANY } })).accounts;
    },
  });

export interface Block {
  id: string;
  /** For the patron's ears. */
  message: string;
  /** For staff alone. */
  staff?: string;
  borrowing: boolean;
}

export const blocks = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "blocks"],
    queryFn: async (): Promise<Block[]> => {
      const [manual, automated] = await Promise.all([
        ask<{ manualblocks: ManualBlock[] }>("/manualblocks", { query: { query: is("userId", userId), limit: MANY } }),
        ask<{ automatedPatronBlocks: AutomatedBlock[] }>(`/automated-patron-blocks/${userId}`),
      ]);
      const holds = ({ expirationDate }: ManualBlock) => !expirationDate || Date.parse(expirationDate) > Date.now();
      return [
        ...manual.manualblocks.filter(holds).map(({ id, desc, staffInformation, borrowing = false }) => ({
          id,
          message: desc,
          ...(staffInformation && { staff: staffInformation }),
          borrowing,
        })),
        ...automated.automatedPatronBlocks.map(({ patronBlockConditionId, message, blockBorrowing = false }) => ({
          id: patronBlockConditionId ?? message,
          message,
          borrowing: blockBorrowing,
        })),
      ];
    },
  });

export const notes = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "notes"],
    queryFn: async () =>
      (await ask<{ notes: Note[] }>(`/note-links/domain/users/type/user/id/${userId}?status=assigned&limit=50`)).notes,
  });

/** For whom somebody may borrow. */
export const sponsors = (proxyUserId: string) =>
  queryOptions({
    queryKey: ["patron", proxyUserId, "sponsors"],
    queryFn: async (): Promise<User[]> => {
      const query = all(is("proxyUserId", proxyUserId), is("status", "Active"));
      const { proxiesFor } = await ask<{ proxiesFor: ProxyOf[] }>("/proxiesfor", { query: { query, limit: MANY } });
      const ids = proxiesFor.filter(isOn).map((proxy) => proxy.userId);
      return ids.length === 0 ? [] : (await users(isAnyOf("id", ids), ids.length)).users;
    },
  });

function isOn({ expirationDate }: ProxyOf): boolean {
  return !expirationDate || Date.parse(expirationDate) > Date.now();
}
