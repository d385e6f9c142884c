/** Queries about patrons. */

import { queryOptions } from "@tanstack/react-query";
import { all, any, begins, contains, is, isAnyOf, sorted } from "./cql.ts";
import { ask } from "./http.ts";
import { atTheDesk } from "./library.ts";
import { list } from "./list.ts";
import type { AutomatedPatronBlocks } from "./octavo.ts";
import type { ManualBlock, ProxyOf, User } from "./records.ts";

const MANY = 1000;

const users = (query: string, limit = 20) => list("/users", { query, limit });

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds patrons by the field of their card that the library has set; if there is none, by name. */
export async function findPatrons(text: string): Promise<User[]> {
  const { identifiers = ["barcode", "externalSystemId", "username"] } = atTheDesk.get();
  const fields = identifiers.filter((field) => field !== "id" || UUID.test(text));
  const onCard = fields.length > 0 ? await users(any(...fields.map((field) => is(field, text)))) : { users: [] };
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

/** Patrons whose card, account, e-mail or names begin with the text. */
export function like(text: string): string {
  const exact = ["barcode", "externalSystemId", "username", "personal.email"].map((field) => begins(field, text));
  return any(...exact, byName(text));
}

export const patron = (id: string) =>
  queryOptions({ queryKey: ["patron", id], queryFn: () => ask<User>(`/users/${id}`) });

export const openLoans = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "loans"],
    queryFn: () => loansOf(userId, "Open", "dueDate", MANY),
  });

export const openRequests = (requesterId: string) =>
  queryOptions({
    queryKey: ["patron", requesterId, "requests"],
    queryFn: async () => {
      const query = sorted(all(is("requesterId", requesterId), contains("status", "Open")), "requestDate");
      return (await list("/circulation/requests", { query, limit: MANY })).requests;
    },
  });

export const openAccounts = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "accounts"],
    queryFn: () => accountsOf(userId, "Open"),
  });

const accountsOf = async (userId: string, status: string) => {
  const query = all(is("userId", userId), is("status.name", status));
  return (await list("/accounts", { query, limit: MANY })).accounts;
};

const loansOf = (userId: string, status: string, by: string, limit: number) =>
  list("/circulation/loans", { query: sorted(all(is("userId", userId), is("status.name", status)), by), limit });

/** The latest that have ended, as far as the library keeps them. */
export const closedLoans = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "closed-loans"],
    queryFn: () => loansOf(userId, "Closed", "returnDate/sort.descending", 100),
  });

export const closedAccounts = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "closed-accounts"],
    queryFn: () => accountsOf(userId, "Closed"),
  });

export const feeHistory = (accountId: string) =>
  queryOptions({
    queryKey: ["patron", "fee", accountId],
    queryFn: async () => {
      const query = sorted(is("accountId", accountId), "dateAction");
      return (await list("/feefineactions", { query, limit: MANY })).feefineactions;
    },
  });

export interface Block {
  id: string;
  /** As staff have written it; none for one that comes from a limit. */
  record?: ManualBlock;
  /** For the patron's ears. */
  message: string;
  /** For staff alone. */
  staff?: string;
  borrowing: boolean;
  renewals: boolean;
  requests: boolean;
  /** Its time is over: it stands in nobody's way any more. */
  ended: boolean;
}

/** Those that stand in the patron's way. */
export const blocks = (userId: string) =>
  queryOptions({ ...allBlocks(userId), select: (all: Block[]) => all.filter(({ ended }) => !ended) });

/** Those whose time is over, too. */
export const allBlocks = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "blocks"],
    queryFn: async (): Promise<Block[]> => {
      const [manual, automated] = await Promise.all([
        list("/manualblocks", { query: is("userId", userId), limit: MANY }),
        ask<AutomatedPatronBlocks>(`/automated-patron-blocks/${userId}`),
      ]);
      const hasEnded = ({ expirationDate }: ManualBlock) =>
        expirationDate !== undefined && Date.parse(expirationDate) <= Date.now();
      return [
        ...manual.manualblocks.map((block) => ({
          id: block.id,
          record: block,
          message: block.desc,
          ...(block.staffInformation && { staff: block.staffInformation }),
          borrowing: block.borrowing ?? false,
          renewals: block.renewals ?? false,
          requests: block.requests ?? false,
          ended: hasEnded(block),
        })),
        ...automated.automatedPatronBlocks.map((block) => ({
          id: block.patronBlockConditionId ?? block.message,
          message: block.message,
          borrowing: block.blockBorrowing ?? false,
          renewals: block.blockRenewals ?? false,
          requests: block.blockRequests ?? false,
          ended: false,
        })),
      ];
    },
  });

/** The sponsors for whom a proxy may borrow. */
export const sponsors = (proxyUserId: string) =>
  queryOptions({
    queryKey: ["patron", proxyUserId, "sponsors"],
    queryFn: async (): Promise<User[]> => {
      const query = all(is("proxyUserId", proxyUserId), is("status", "Active"));
      const { proxiesFor } = await list("/proxiesfor", { query, limit: MANY });
      const ids = proxiesFor.filter(isOn).flatMap(({ userId = [] }) => userId);
      return ids.length === 0 ? [] : (await users(isAnyOf("id", ids), ids.length)).users;
    },
  });

function isOn({ expirationDate }: ProxyOf): boolean {
  return !expirationDate || Date.parse(expirationDate) > Date.now();
}
