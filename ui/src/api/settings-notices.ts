/** Patron notices: previewing a template, the list of sent notices, and sending a notice again. */

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { Category } from "../settings/kinds/templates.ts";
import { and, equals, isAnyOf, sortBy } from "./cql.ts";
import { ask } from "./http.ts";
import { type Lists, list } from "./list.ts";
import type { Notice, Preview } from "./octavo.ts";

/** The newest loans, requests or fees/fines, to preview a template with. */
export const previewSubjects = (category: Category) =>
  queryOptions({
    queryKey: ["notices", "subjects", category],
    queryFn: async (): Promise<{ id: string; name: string }[]> => {
      if (category === "Loan") {
        const query = sortBy(equals("status.name", "Open"), "loanDate/sort.descending");
        const { loans } = await list("/circulation/loans", { query, limit: 20 });
        return loans.map(({ id, item, borrower }) => ({ id, name: [item?.title, borrower?.lastName].join(" · ") }));
      }
      if (category === "Request") {
        const query = sortBy("cql.allRecords=1", "requestDate/sort.descending");
        const { requests } = await list("/circulation/requests", { query, limit: 20 });
        return requests.map(({ id, instance, requester }) => ({
          id,
          name: [instance?.title, requester?.lastName].join(" · "),
        }));
      }
      const query = sortBy("cql.allRecords=1", "dateAction/sort.descending");
      const { feefineactions } = await list("/feefineactions", { query, limit: 20 });
      return feefineactions.map(({ id, typeAction, amountAction }) => ({
        id,
        name: [typeAction, amountAction?.toFixed(2)].join(" · "),
      }));
    },
  });

const SUBJECT_MEMBERS: Record<Category, string> = {
  Loan: "loanId",
  Request: "requestId",
  FeeFineCharge: "feeFineActionId",
  FeeFineAction: "feeFineActionId",
};

export const noticePreview = (category: Category, subject: string, notice: { header: string; body: string }) =>
  queryOptions({
    queryKey: ["notices", "preview", category, subject, notice],
    placeholderData: keepPreviousData,
    queryFn: () =>
      ask<Preview>("/notice-ledger/preview", {
        method: "POST",
        body: { [SUBJECT_MEMBERS[category]]: subject, ...notice },
      }),
  });

export const STATUSES = ["Pending", "Sending", "Sent", "Failed", "Not sent", "To print"] as const;

const NEWEST_FIRST = "decidedDate/sort.descending";

export const notices = (
  status: string,
  recipientIds: readonly string[] | undefined,
  page: { limit: number; offset: number },
) =>
  queryOptions({
    queryKey: ["notices", "list", status, recipientIds, page],
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<Lists["/notice-ledger/notices"]> => {
      if (recipientIds?.length === 0) return { notices: [], totalRecords: 0 };
      const parts = [
        ...(status ? [equals("status", status)] : []),
        ...(recipientIds ? [isAnyOf("recipientId", recipientIds)] : []),
      ];
      const query = sortBy(parts.length > 0 ? and(...parts) : "cql.allRecords=1", NEWEST_FIRST);
      return list("/notice-ledger/notices", { query, ...page });
    },
  });

export const notice = (id: string) =>
  queryOptions({ queryKey: ["notices", id], queryFn: () => ask<Notice>(`/notice-ledger/notices/${id}`) });

export const resendNotice = (id: string) =>
  ask<Notice>(`/notice-ledger/notices/${id}/resend`, { method: "POST", body: {} });

/** The patrons who receive the notices of a page, by id. */
export const recipients = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ["notices", "readers", ids],
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const query = isAnyOf("id", ids);
      const { users } = await list("/users", { query, limit: ids.length });
      return new Map(users.map((user) => [user.id, user]));
    },
  });
