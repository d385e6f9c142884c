/**
 * Lists of requests (all, expired on the hold shelf, to clear from the hold shelf), and the tabs of the page
 * "Requests".
 */

import { and, equals, quote, sortBy } from "../api/cql.ts";
import { ask } from "../api/http.ts";
import type { PatronRequest } from "../api/records.ts";
import type { ListFilterValues } from "./asked.ts";
import { equalsIfSet, filterRows, type ListKind } from "./kind.ts";
import { type LoadedRows, type LoadOptions, loadAllPages } from "./loading.ts";
import { type ListRow, rowFromRequest } from "./row.ts";

const OPEN_STATUSES = [
  "Open - Not yet filled",
  "Open - In transit",
  "Open - Awaiting pickup",
  "Open - Awaiting delivery",
];
const CLOSED_STATUSES = ["Closed - Filled", "Closed - Cancelled", "Closed - Unfilled", "Closed - Pickup expired"];

async function loadRequests(
  filters: readonly string[],
  asked: ListFilterValues,
  loading: LoadOptions,
): Promise<LoadedRows<ListRow>> {
  const query = sortBy(and(...filters, ...requestConditions(asked)), "requestDate id");
  const { rows, total } = await loadAllPages<PatronRequest>("/circulation/requests", "requests", query, loading);
  return { rows: filterRows(rows.map(rowFromRequest), asked), total };
}

export const requestConditions = ({ at, type, tag, from, to, ends }: ListFilterValues) => [
  ...equalsIfSet(at, "pickupServicePointId"),
  ...equalsIfSet(type, "requestType"),
  ...(tag ? [hasTag(tag)] : []),
  ...(from ? [`requestDate>="${from}"`] : []),
  ...(to ? [`requestDate<="${to}"`] : []),
  ...(ends ? [`requestExpirationDate<="${ends}"`] : []),
];

/** The server searches the tags of a request as the text of a JSON list. */
const hasTag = (tag: string) => `tags.tagList=="*${quote(`"${tag}"`).slice(1, -1)}*"`;

const statusCondition = ({ status }: ListFilterValues, usual: string) =>
  status ? equals("status", status) : `status="${usual}"`;

const REQUEST_LIST = {
  needs: ["circulation.requests.collection.get"],
  servicePointRole: "requests",
  filters: ["at", "group"],
  extra: ["callNumber", "location", "patronBarcode", "group", "comments", "level", "tags"],
} as const;

/** All filters for which FOLIO's call for requests has a condition. */
const ALL_REQUEST_FILTERS = ["type", "status", "at", "group", "tag", "from", "to", "ends"] as const;

export const REQUEST_LISTS = {
  requests: {
    ...REQUEST_LIST,
    filters: ALL_REQUEST_FILTERS,
    statuses: [...OPEN_STATUSES, ...CLOSED_STATUSES],
    anyStatus: "anyOpen",
    columns: ["patron", "title", "barcode", "type", "requestStatus", "position", "servicePoint", "requested", "wanted"],
    sort: "requested",
    load: (asked, loading) => loadRequests([statusCondition(asked, "Open")], asked, loading),
  },
  expired: {
    ...REQUEST_LIST,
    columns: ["patron", "title", "barcode", "callNumber", "type", "servicePoint", "kept"],
    sort: "kept",
    load: (asked, loading) => {
      const isOver = `holdShelfExpirationDate<${new Date().toISOString()}`;
      return loadRequests([equals("status", "Open - Awaiting pickup"), isOver], asked, loading);
    },
  },
  clearance: {
    ...REQUEST_LIST,
    needs: ["circulation.requests.hold-shelf-clearance-report.get"],
    servicePointRole: "clearance",
    isOneServicePoint: true,
    columns: ["title", "barcode", "callNumber", "location", "patron", "requestStatus", "kept"],
    extra: ["patronBarcode", "group", "type"],
    sort: "callNumber",
    load: async (asked, { signal }) => {
      const path = `/circulation/requests-reports/hold-shelf-clearance/${asked.at}`;
      const { requests } = await ask<{ requests: PatronRequest[] }>(path, { signal });
      const rows = filterRows(requests.map(rowFromRequest), { ...asked, at: "" });
      return { rows, total: rows.length };
    },
  },
} as const satisfies Record<string, ListKind>;

/** The tabs of the page "Requests". */
export const REQUEST_VIEWS = {
  open: {
    ...REQUEST_LISTS.requests,
    statuses: OPEN_STATUSES,
    columns: ["patron", "title", "type", "requestStatus", "position", "servicePoint", "requested", "wanted"],
    extra: ["barcode", ...REQUEST_LIST.extra],
  },
  shelf: {
    ...REQUEST_LIST,
    servicePointRole: "clearance",
    filters: ["at", "type", "group", "tag"],
    isOneServicePoint: true,
    columns: ["patron", "title", "barcode", "callNumber", "type", "kept"],
    extra: ["patronBarcode", "location", "group", "requested", "wanted", "comments", "level", "tags"],
    sort: "kept",
    load: (asked, loading) => loadRequests([equals("status", "Open - Awaiting pickup")], asked, loading),
  },
  expired: {
    ...REQUEST_LIST,
    servicePointRole: "clearance",
    filters: ["at", "type", "group", "tag"],
    isOneServicePoint: true,
    columns: ["patron", "title", "barcode", "callNumber", "type", "kept"],
    extra: ["patronBarcode", "location", "group", "requested", "comments", "level", "tags"],
    sort: "-kept",
    load: (asked, loading) => loadRequests([equals("status", "Closed - Pickup expired")], asked, loading),
  },
  closed: {
    ...REQUEST_LIST,
    filters: ALL_REQUEST_FILTERS,
    statuses: CLOSED_STATUSES,
    columns: ["patron", "title", "barcode", "type", "requestStatus", "servicePoint", "requested", "cancelled"],
    sort: "-requested",
    load: (asked, loading) => loadRequests([statusCondition(asked, "Closed")], asked, loading),
  },
} as const satisfies Record<string, ListKind>;

export type RequestView = keyof typeof REQUEST_VIEWS;
