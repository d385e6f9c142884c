/** The pages of the desk: where they are, which key leads there, and what one must be allowed to see them. */

import type { Words } from "../words/en.ts";

export type PageName = keyof Words["pages"];

interface Page {
  name: PageName;
  path: string;
  /** With Alt. */
  key: string;
  needs: readonly string[];
  /** One of these will do. */
  needsOne?: readonly string[];
}

export const PAGES: readonly Page[] = [
  { name: "checkOut", path: "/check-out", key: "O", needs: ["circulation.check-out-by-barcode.post"] },
  { name: "checkIn", path: "/check-in", key: "I", needs: ["circulation.check-in-by-barcode.post"] },
  { name: "patrons", path: "/patrons", key: "P", needs: ["users.collection.get"] },
  { name: "inventory", path: "/inventory", key: "T", needs: ["search.instances.collection.get"] },
  { name: "requests", path: "/requests", key: "R", needs: ["circulation.requests.collection.get"] },
  { name: "settings", path: "/rules", key: "L", needs: ["circulation.rules.get"] },
  {
    name: "setUp",
    path: "/settings",
    key: "S",
    needs: [],
    needsOne: [
      "circulation-storage.loan-policies.collection.get",
      "circulation-storage.request-policies.collection.get",
      "circulation-storage.patron-notice-policies.collection.get",
      "circulation-storage.staff-slips.collection.get",
      "overdue-fines-policies.collection.get",
      "lost-item-fees-policies.collection.get",
      "patron-block-conditions.collection.get",
      "calendar.endpoint.calendars.get",
      "templates.collection.get",
      "notice-ledger.notices.collection.get",
      "owners.collection.get",
      "feefines.collection.get",
    ],
  },
  { name: "today", path: "/today", key: "H", needs: ["circulation.loans.collection.get"] },
];

export function isOpen({ needs, needsOne }: Page, may: (...permissions: string[]) => boolean): boolean {
  return may(...needs) && (needsOne?.some((one) => may(one)) ?? true);
}
