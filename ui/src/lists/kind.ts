/** What makes a list: from where it comes, what is shown of it, and by what it is narrowed. */

import { is } from "../api/cql.ts";
import type { Asked, Filter } from "./asked.ts";
import type { ColumnName } from "./columns.tsx";
import type { Loaded, Loading } from "./loading.ts";
import type { ListRow } from "./row.ts";

export interface ListKind {
  needs: readonly string[];
  /** What the service point of a row means. */
  place: "loans" | "requests" | "transit" | "clearance";
  filters: readonly Filter[];
  /** Of one service point, that of the desk to begin with. */
  isOfOnePoint?: boolean;
  statuses?: readonly string[];
  /** What no chosen status means. */
  anyStatus?: "any" | "anyOpen";
  columns: readonly ColumnName[];
  /** Those that somebody has to choose. */
  extra: readonly ColumnName[];
  sort: string;
  load: (asked: Asked, loading: Loading) => Promise<Loaded<ListRow>>;
}

/** One more condition, if somebody has asked for it. */
export const when = (value: string, field: string) => (value ? [is(field, value)] : []);

/** What these calls cannot be asked for is chosen from what they answer. */
export const narrowed = (rows: ListRow[], { at, group }: Pick<Asked, "at" | "group">) =>
  rows.filter((row) => (!at || row.servicePointId === at) && (!group || row.groupId === group));
