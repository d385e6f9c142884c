/** The lists, and the calls that they come from. */

import { all, is, isAnyOf, sorted } from "../api/cql.ts";
import { ask } from "../api/http.ts";
import type { Item } from "../api/inventory.ts";
import type { Loan } from "../api/records.ts";
import type { Asked } from "./asked.ts";
import { type ListKind, narrowed, when } from "./kind.ts";
import { every, type Loaded, type Loading } from "./loading.ts";
import { REQUEST_LISTS } from "./request-kinds.ts";
import { type ListRow, ofItem, ofLoan, ofTravelling, type Travelling } from "./row.ts";

/** Items that are lost or claimed have lists of their own. */
const ELSEWHERE = ["Declared lost", "Aged to lost", "Claimed returned"];
const LOST = ["Declared lost", "Aged to lost", "Lost and paid"];
const MISSING = ["Missing", "Long missing"];
const DAY_MS = 86_400_000;

const OPEN = is("status.name", "Open");

const ofLoans = ({ at, location, group }: Asked) => [
  ...when(at, "checkoutServicePointId"),
  ...when(location, "itemEffectiveLocationIdAtCheckOut"),
  ...when(group, "patronGroupIdAtCheckout"),
];

async function loans(query: string, loading: Loading): Promise<Loaded<ListRow>> {
  const { rows, total } = await every<Loan>("/circulation/loans", "loans", sorted(query, "dueDate id"), loading);
  return { rows: rows.map(ofLoan), total };
}

async function items(statuses: readonly string[], { location }: Asked, loading: Loading) {
  const query = sorted(all(isAnyOf("status.name", statuses), ...when(location, "effectiveLocationId")), "title id");
  return every<Item>("/inventory/items", "items", query, loading);
}

/** Lost items with who lost them: the loan is open, or was closed when its fees were paid. */
async function lost(asked: Asked, loading: Loading): Promise<Loaded<ListRow>> {
  const statuses = asked.status ? [asked.status] : LOST;
  const { rows, total } = await items(statuses, asked, loading);
  const query = sorted(isAnyOf("itemStatus", statuses), "loanDate id");
  const { rows: lent } = await every<Loan>("/circulation/loans", "loans", query, { ...loading, arrived: () => {} });
  // The last loan of each.
  const loanOf = new Map(lent.map((loan) => [loan.itemId, loan]));
  return { rows: rows.map((item) => ofItem(item, loanOf.get(item.id))), total };
}

const OF_LOANS = {
  needs: ["circulation.loans.collection.get"],
  place: "loans",
  filters: ["at", "location", "group"],
  columns: ["title", "barcode", "callNumber", "location", "patron", "due", "renewals", "status"],
  extra: ["patronBarcode", "group", "loanDate", "servicePoint", "materialType", "policy", "owed"],
} as const;

export const KINDS = {
  open: { ...OF_LOANS, sort: "due", load: (asked, loading) => loans(all(OPEN, ...ofLoans(asked)), loading) },
  overdue: {
    ...OF_LOANS,
    columns: ["title", "barcode", "callNumber", "location", "patron", "due", "overdue", "renewals"],
    extra: [...OF_LOANS.extra, "status"],
    sort: "-overdue",
    load: (asked, loading) => {
      const due = `dueDate<${new Date().toISOString()}`;
      return loans(`${all(OPEN, due, ...ofLoans(asked))} not ${isAnyOf("itemStatus", ELSEWHERE)}`, loading);
    },
  },
  lost: {
    needs: ["inventory.items.collection.get", "circulation.loans.collection.get"],
    place: "loans",
    filters: ["location", "status"],
    statuses: LOST,
    columns: ["title", "barcode", "callNumber", "location", "status", "since", "patron", "due"],
    extra: ["patronBarcode", "group", "materialType", "owed"],
    sort: "-since",
    load: lost,
  },
  missing: {
    needs: ["inventory.items.collection.get"],
    place: "loans",
    filters: ["location"],
    columns: ["title", "barcode", "callNumber", "location", "materialType", "status", "since"],
    extra: [],
    sort: "-since",
    load: async (asked, loading) => {
      const { rows, total } = await items(MISSING, asked, loading);
      return { rows: rows.map((item) => ofItem(item)), total };
    },
  },
  claimed: {
    ...OF_LOANS,
    columns: ["title", "barcode", "callNumber", "location", "patron", "due", "since"],
    extra: [...OF_LOANS.extra, "renewals"],
    sort: "since",
    load: (asked, loading) => loans(all(OPEN, is("itemStatus", "Claimed returned"), ...ofLoans(asked)), loading),
  },
  transit: {
    needs: ["circulation.inventory.items-in-transit-report.get"],
    place: "transit",
    filters: ["at", "days"],
    columns: ["title", "barcode", "callNumber", "location", "from", "servicePoint", "since", "daysSince"],
    extra: [],
    sort: "-daysSince",
    load: async (asked, { signal }) => {
      const { items } = await ask<{ items: Travelling[] }>("/inventory-reports/items-in-transit", { signal });
      const latest = Date.now() - asked.days * DAY_MS;
      // Of what has no date nobody knows how long it has been on its way: it is shown.
      const isLong = ({ since }: ListRow) => since === undefined || Date.parse(since) <= latest;
      const rows = narrowed(items.map(ofTravelling).filter(isLong), asked);
      return { rows, total: rows.length };
    },
  },
  ...REQUEST_LISTS,
} as const satisfies Record<string, ListKind>;

export type ListName = keyof typeof KINDS;
export const LIST_NAMES = Object.keys(KINDS) as ListName[];
