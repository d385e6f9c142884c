/** Lists of requests: what is waited for, what lies on the hold shelf, what is to be taken off it, what is over. */

import { all, is, quoted, sorted } from "../api/cql.ts";
import { ask } from "../api/http.ts";
import type { PatronRequest } from "../api/records.ts";
import type { Asked } from "./asked.ts";
import { type ListKind, narrowed, when } from "./kind.ts";
import { every, type Loaded, type Loading } from "./loading.ts";
import { type ListRow, ofRequest } from "./row.ts";

const OPEN = ["Open - Not yet filled", "Open - In transit", "Open - Awaiting pickup", "Open - Awaiting delivery"];
const CLOSED = ["Closed - Filled", "Closed - Cancelled", "Closed - Unfilled", "Closed - Pickup expired"];

async function requests(filters: readonly string[], asked: Asked, loading: Loading): Promise<Loaded<ListRow>> {
  const query = sorted(all(...filters, ...conditions(asked)), "requestDate id");
  const { rows, total } = await every<PatronRequest>("/circulation/requests", "requests", query, loading);
  return { rows: narrowed(rows.map(ofRequest), asked), total };
}

export const conditions = ({ at, type, tag, from, to, ends }: Asked) => [
  ...when(at, "pickupServicePointId"),
  ...when(type, "requestType"),
  ...(tag ? [hasTag(tag)] : []),
  ...(from ? [`requestDate>="${from}"`] : []),
  ...(to ? [`requestDate<="${to}"`] : []),
  ...(ends ? [`requestExpirationDate<="${ends}"`] : []),
];

/** Tags stand in the record as a list in JSON, which is searched as text. */
const hasTag = (tag: string) => `tags.tagList=="*${quoted(`"${tag}"`).slice(1, -1)}*"`;

const withStatus = ({ status }: Asked, usual: string) => (status ? is("status", status) : `status="${usual}"`);

const OF_REQUESTS = {
  needs: ["circulation.requests.collection.get"],
  place: "requests",
  filters: ["at", "group"],
  extra: ["callNumber", "location", "patronBarcode", "group", "comments", "level", "tags"],
} as const;

/** All that FOLIO's calls can be asked for. */
const BY_ALL = ["type", "status", "at", "group", "tag", "from", "to", "ends"] as const;

export const REQUEST_LISTS = {
  requests: {
    ...OF_REQUESTS,
    filters: BY_ALL,
    statuses: [...OPEN, ...CLOSED],
    anyStatus: "anyOpen",
    columns: ["patron", "title", "barcode", "type", "requestStatus", "position", "servicePoint", "requested", "wanted"],
    sort: "requested",
    load: (asked, loading) => requests([withStatus(asked, "Open")], asked, loading),
  },
  expired: {
    ...OF_REQUESTS,
    columns: ["patron", "title", "barcode", "callNumber", "type", "servicePoint", "kept"],
    sort: "kept",
    load: (asked, loading) => {
      const isOver = `holdShelfExpirationDate<${new Date().toISOString()}`;
      return requests([is("status", "Open - Awaiting pickup"), isOver], asked, loading);
    },
  },
  clearance: {
    ...OF_REQUESTS,
    needs: ["circulation.requests.hold-shelf-clearance-report.get"],
    place: "clearance",
    isOfOnePoint: true,
    columns: ["title", "barcode", "callNumber", "location", "patron", "requestStatus", "kept"],
    extra: ["patronBarcode", "group", "type"],
    sort: "callNumber",
    load: async (asked, { signal }) => {
      const path = `/circulation/requests-reports/hold-shelf-clearance/${asked.at}`;
      const { requests } = await ask<{ requests: PatronRequest[] }>(path, { signal });
      const rows = narrowed(requests.map(ofRequest), { ...asked, at: "" });
      return { rows, total: rows.length };
    },
  },
} as const satisfies Record<string, ListKind>;

/** The parts of the page of requests. */
export const REQUEST_VIEWS = {
  open: {
    ...REQUEST_LISTS.requests,
    statuses: OPEN,
    columns: ["patron", "title", "type", "requestStatus", "position", "servicePoint", "requested", "wanted"],
    extra: ["barcode", ...OF_REQUESTS.extra],
  },
  shelf: {
    ...OF_REQUESTS,
    place: "clearance",
    filters: ["at", "type", "group", "tag"],
    isOfOnePoint: true,
    columns: ["patron", "title", "barcode", "callNumber", "type", "kept"],
    extra: ["patronBarcode", "location", "group", "requested", "wanted", "comments", "level", "tags"],
    sort: "kept",
    load: (asked, loading) => requests([is("status", "Open - Awaiting pickup")], asked, loading),
  },
  expired: {
    ...OF_REQUESTS,
    place: "clearance",
    filters: ["at", "type", "group", "tag"],
    isOfOnePoint: true,
    columns: ["patron", "title", "barcode", "callNumber", "type", "kept"],
    extra: ["patronBarcode", "location", "group", "requested", "comments", "level", "tags"],
    sort: "-kept",
    load: (asked, loading) => requests([is("status", "Closed - Pickup expired")], asked, loading),
  },
  closed: {
    ...OF_REQUESTS,
    filters: BY_ALL,
    statuses: CLOSED,
    columns: ["patron", "title", "barcode", "type", "requestStatus", "servicePoint", "requested", "cancelled"],
    sort: "-requested",
    load: (asked, loading) => requests([withStatus(asked, "Closed")], asked, loading),
  },
} as const satisfies Record<string, ListKind>;

export type RequestView = keyof typeof REQUEST_VIEWS;
