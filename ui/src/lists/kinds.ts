/** The lists of loans and items, and the calls that load them. */

import { and, equals, isAnyOf, sortBy } from "../api/cql.ts";
import { ask } from "../api/http.ts";
import type { Item } from "../api/inventory.ts";
import type { Loan } from "../api/records.ts";
import type { ListFilterValues } from "./asked.ts";
import { equalsIfSet, filterRows, type ListKind } from "./kind.ts";
import { type LoadedRows, type LoadOptions, loadAllPages } from "./loading.ts";
import { REQUEST_LISTS } from "./request-kinds.ts";
import { type ItemInTransit, type ListRow, rowFromItem, rowFromItemInTransit, rowFromLoan } from "./row.ts";

/** Statuses of items that have lists of their own and are left out of the list of overdue loans. */
const STATUSES_WITH_OWN_LIST = ["Declared lost", "Aged to lost", "Claimed returned"];
const LOST_STATUSES = ["Declared lost", "Aged to lost", "Lost and paid"];
const MISSING_STATUSES = ["Missing", "Long missing"];
const DAY_MS = 86_400_000;

const OPEN_LOAN = equals("status.name", "Open");

const loanConditions = ({ at, location, group }: ListFilterValues) => [
  ...equalsIfSet(at, "checkoutServicePointId"),
  ...equalsIfSet(location, "itemEffectiveLocationIdAtCheckOut"),
  ...equalsIfSet(group, "patronGroupIdAtCheckout"),
];

async function loadLoans(query: string, loading: LoadOptions): Promise<LoadedRows<ListRow>> {
  const { rows, total } = await loadAllPages<Loan>("/circulation/loans", "loans", sortBy(query, "dueDate id"), loading);
  return { rows: rows.map(rowFromLoan), total };
}

async function loadItems(statuses: readonly string[], { location }: ListFilterValues, loading: LoadOptions) {
  const query = sortBy(
    and(isAnyOf("status.name", statuses), ...equalsIfSet(location, "effectiveLocationId")),
    "title id",
  );
  return loadAllPages<Item>("/inventory/items", "items", query, loading);
}

/** Lost items, each with its last loan, which is open or was closed when its fees were paid. */
async function loadLostItems(asked: ListFilterValues, loading: LoadOptions): Promise<LoadedRows<ListRow>> {
  const statuses = asked.status ? [asked.status] : LOST_STATUSES;
  const { rows, total } = await loadItems(statuses, asked, loading);
  const query = sortBy(isAnyOf("itemStatus", statuses), "loanDate id");
  const { rows: lent } = await loadAllPages<Loan>("/circulation/loans", "loans", query, {
    ...loading,
    onProgress: () => {},
  });
  // Loans are sorted by date, so that the last loan of each item stays in the map.
  const loanOf = new Map(lent.map((loan) => [loan.itemId, loan]));
  return { rows: rows.map((item) => rowFromItem(item, loanOf.get(item.id))), total };
}

const LOAN_LIST = {
  needs: ["circulation.loans.collection.get"],
  servicePointRole: "loans",
  filters: ["at", "location", "group"],
  columns: ["title", "barcode", "callNumber", "location", "patron", "due", "renewals", "status"],
  extra: ["patronBarcode", "group", "loanDate", "servicePoint", "materialType", "policy", "owed"],
} as const;

export const LIST_KINDS = {
  open: {
    ...LOAN_LIST,
    sort: "due",
    load: (asked, loading) => loadLoans(and(OPEN_LOAN, ...loanConditions(asked)), loading),
  },
  overdue: {
    ...LOAN_LIST,
    columns: ["title", "barcode", "callNumber", "location", "patron", "due", "overdue", "renewals"],
    extra: [...LOAN_LIST.extra, "status"],
    sort: "-overdue",
    load: (asked, loading) => {
      const due = `dueDate<${new Date().toISOString()}`;
      return loadLoans(
        `${and(OPEN_LOAN, due, ...loanConditions(asked))} not ${isAnyOf("itemStatus", STATUSES_WITH_OWN_LIST)}`,
        loading,
      );
    },
  },
  lost: {
    needs: ["inventory.items.collection.get", "circulation.loans.collection.get"],
    servicePointRole: "loans",
    filters: ["location", "status"],
    statuses: LOST_STATUSES,
    columns: ["title", "barcode", "callNumber", "location", "status", "since", "patron", "due"],
    extra: ["patronBarcode", "group", "materialType", "owed"],
    sort: "-since",
    load: loadLostItems,
  },
  missing: {
    needs: ["inventory.items.collection.get"],
    servicePointRole: "loans",
    filters: ["location"],
    columns: ["title", "barcode", "callNumber", "location", "materialType", "status", "since"],
    extra: [],
    sort: "-since",
    load: async (asked, loading) => {
      const { rows, total } = await loadItems(MISSING_STATUSES, asked, loading);
      return { rows: rows.map((item) => rowFromItem(item)), total };
    },
  },
  claimed: {
    ...LOAN_LIST,
    columns: ["title", "barcode", "callNumber", "location", "patron", "due", "since"],
    extra: [...LOAN_LIST.extra, "renewals"],
    sort: "since",
    load: (asked, loading) =>
      loadLoans(and(OPEN_LOAN, equals("itemStatus", "Claimed returned"), ...loanConditions(asked)), loading),
  },
  transit: {
    needs: ["circulation.inventory.items-in-transit-report.get"],
    servicePointRole: "transit",
    filters: ["at", "days"],
    columns: ["title", "barcode", "callNumber", "location", "from", "servicePoint", "since", "daysSince"],
    extra: [],
    sort: "-daysSince",
    load: async (asked, { signal }) => {
      const { items } = await ask<{ items: ItemInTransit[] }>("/inventory-reports/items-in-transit", { signal });
      const latest = Date.now() - asked.days * DAY_MS;
      // An item without a date may have been in transit for long: it is shown.
      const isLong = ({ since }: ListRow) => since === undefined || Date.parse(since) <= latest;
      const rows = filterRows(items.map(rowFromItemInTransit).filter(isLong), asked);
      return { rows, total: rows.length };
    },
  },
  ...REQUEST_LISTS,
} as const satisfies Record<string, ListKind>;

export type ListName = keyof typeof LIST_KINDS;
export const LIST_NAMES = Object.keys(LIST_KINDS) as ListName[];
