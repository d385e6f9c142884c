/** The definition of a list: the call that loads it, its columns and its filters. */

import { equals } from "../api/cql.ts";
import type { Filter, ListFilterValues } from "./asked.ts";
import type { ColumnName } from "./columns.tsx";
import type { LoadedRows, LoadOptions } from "./loading.ts";
import type { ListRow } from "./row.ts";

export interface ListKind {
  needs: readonly string[];
  /** Which service point rows have: of the loan, of the pickup, of the destination in transit, of the hold shelf. */
  servicePointRole: "loans" | "requests" | "transit" | "clearance";
  filters: readonly Filter[];
  /** The list is for one service point; until another is chosen, for the one at which the user works. */
  isOneServicePoint?: boolean;
  statuses?: readonly string[];
  /** What the list has if no status is chosen: all requests, or all open ones. */
  anyStatus?: "any" | "anyOpen";
  columns: readonly ColumnName[];
  /** Columns that are hidden until the user chooses them. */
  extra: readonly ColumnName[];
  sort: string;
  load: (asked: ListFilterValues, loading: LoadOptions) => Promise<LoadedRows<ListRow>>;
}

/** A CQL condition "field equals value" in an array; no condition if the value is empty. */
export const equalsIfSet = (value: string, field: string) => (value ? [equals(field, value)] : []);

/** Filters rows in the browser, by service point and patron group: the reports of the server have no such filters. */
export const filterRows = (rows: ListRow[], { at, group }: Pick<ListFilterValues, "at" | "group">) =>
  rows.filter((row) => (!at || row.servicePointId === at) && (!group || row.groupId === group));
