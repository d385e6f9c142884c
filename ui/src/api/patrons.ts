/** Queries about patrons. */

import { queryOptions } from "@tanstack/react-query";
import { and, containsWord, equals, isAnyOf, or, sortBy, startsWith } from "./cql.ts";
import { ask } from "./http.ts";
import { deskSettings } from "./library.ts";
import { list } from "./list.ts";
import type { AutomatedPatronBlocks } from "./octavo.ts";
import type { ManualBlock, ProxyRecord, User } from "./records.ts";

const MAX_RECORDS = 1000;

/** At most so many patrons with a name are listed. */
const MAX_FOUND = 100;

const loadUsers = (query: string, limit: number) => list("/users", { query, limit });

export interface FoundPatrons {
  users: User[];
  /** How many match, which may be more than are listed. */
  total: number;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds patrons by the fields that the library has set for cards; if none matches, by name. */
export async function findPatrons(text: string, limit = MAX_FOUND): Promise<FoundPatrons> {
  const { identifiers = ["barcode", "externalSystemId", "username"] } = deskSettings.get();
  const fields = identifiers.filter((field) => field !== "id" || UUID.test(text));
  if (fields.length > 0) {
    const onCard = await loadUsers(or(...fields.map((field) => equals(field, text))), limit);
    if (onCard.users.length > 0) return { users: onCard.users, total: onCard.totalRecords };
  }
  const named = await loadUsers(sortBy(nameQuery(text), "personal.lastName personal.firstName"), limit);
  return { users: named.users, total: named.totalRecords };
}

/** A CQL query: every word of the text is the beginning of one of the patron's names. */
export function nameQuery(text: string): string {
  const fields = ["personal.lastName", "personal.firstName", "personal.preferredFirstName"];
  return and(
    ...text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((word) => or(...fields.map((field) => startsWith(field, word)))),
  );
}

/**
 * A CQL query for patrons whose barcode, external system ID, user name, e-mail address or names begin with the text.
 */
export function patronQuery(text: string): string {
  const exact = ["barcode", "externalSystemId", "username", "personal.email"].map((field) => startsWith(field, text));
  return or(...exact, nameQuery(text));
}

export const patron = (id: string) =>
  queryOptions({ queryKey: ["patron", id], queryFn: () => ask<User>(`/users/${id}`) });

export const openLoans = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "loans"],
    queryFn: () => loadLoans(userId, "Open", "dueDate", MAX_RECORDS),
  });

export const openRequests = (requesterId: string) =>
  queryOptions({
    queryKey: ["patron", requesterId, "requests"],
    queryFn: async () => {
      const query = sortBy(and(equals("requesterId", requesterId), containsWord("status", "Open")), "requestDate");
      return (await list("/circulation/requests", { query, limit: MAX_RECORDS })).requests;
    },
  });

export const openAccounts = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "accounts"],
    queryFn: () => loadAccounts(userId, "Open"),
  });

const loadAccounts = async (userId: string, status: string) => {
  const query = and(equals("userId", userId), equals("status.name", status));
  return (await list("/accounts", { query, limit: MAX_RECORDS })).accounts;
};

const loadLoans = (userId: string, status: string, by: string, limit: number) =>
  list("/circulation/loans", {
    query: sortBy(and(equals("userId", userId), equals("status.name", status)), by),
    limit,
  });

/** The 100 loans that were returned last, as far as the library keeps closed loans. */
export const closedLoans = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "closed-loans"],
    queryFn: () => loadLoans(userId, "Closed", "returnDate/sort.descending", 100),
  });

export const closedAccounts = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "closed-accounts"],
    queryFn: () => loadAccounts(userId, "Closed"),
  });

export const feeHistory = (accountId: string) =>
  queryOptions({
    queryKey: ["patron", "fee", accountId],
    queryFn: async () => {
      const query = sortBy(equals("accountId", accountId), "dateAction");
      return (await list("/feefineactions", { query, limit: MAX_RECORDS })).feefineactions;
    },
  });

export interface Block {
  id: string;
  /** The manual block that staff have written; missing for an automated block, which comes from a limit. */
  record?: ManualBlock;
  /** The message that staff may tell the patron. */
  message: string;
  /** The information for staff only. */
  staff?: string;
  borrowing: boolean;
  renewals: boolean;
  requests: boolean;
  /** The block has expired and does not block anything any more. */
  ended: boolean;
}

/** The manual and automated blocks that have not expired. */
export const activeBlocks = (userId: string) =>
  queryOptions({ ...allBlocks(userId), select: (all: Block[]) => all.filter(({ ended }) => !ended) });

/** All manual and automated blocks, also expired ones. */
export const allBlocks = (userId: string) =>
  queryOptions({
    queryKey: ["patron", userId, "blocks"],
    queryFn: async (): Promise<Block[]> => {
      const [manual, automated] = await Promise.all([
        list("/manualblocks", { query: equals("userId", userId), limit: MAX_RECORDS }),
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

/** The sponsors for whom a patron may borrow as their proxy. */
export const sponsors = (proxyUserId: string) =>
  queryOptions({
    queryKey: ["patron", proxyUserId, "sponsors"],
    queryFn: async (): Promise<User[]> => {
      const query = and(equals("proxyUserId", proxyUserId), equals("status", "Active"));
      const { proxiesFor } = await list("/proxiesfor", { query, limit: MAX_RECORDS });
      const ids = proxiesFor.filter(isActive).flatMap(({ userId = [] }) => userId);
      return ids.length === 0 ? [] : (await loadUsers(isAnyOf("id", ids), ids.length)).users;
    },
  });

function isActive({ expirationDate }: ProxyRecord): boolean {
  return !expirationDate || Date.parse(expirationDate) > Date.now();
}
