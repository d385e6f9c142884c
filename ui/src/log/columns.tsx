/** What stands in the columns of the log, with the ways to what a record is about. */

import type { ReactNode } from "react";
import { Link } from "wouter";
import type { TableColumn } from "../parts/table/column.ts";
import type { Formats } from "../words/index.tsx";
import type { LogRecord } from "./records.ts";
import type { LogWords } from "./words/en.ts";

const NOBODY = "-";

const barcode = ({ userBarcode }: LogRecord) => (userBarcode === NOBODY ? undefined : userBarcode);

export function columns(
  own: LogWords,
  formats: Formats,
  points: ReadonlyMap<string, string>,
): TableColumn<LogRecord>[] {
  const named = (name: string | undefined, names: Record<string, string>) => names[name ?? ""] ?? name;
  const items = ({ items = [] }: LogRecord) => items.map(({ itemBarcode }) => itemBarcode).filter(Boolean);
  return [
    {
      id: "date",
      name: own.columns.date,
      width: 14,
      isMain: true,
      value: ({ date }) => date,
      show: ({ date }) => date && formats.moment(date),
    },
    {
      id: "patron",
      name: own.columns.patron,
      width: 8,
      kind: "code",
      value: barcode,
      show: (record) => linked(record.linkToIds?.userId, (id) => `/patrons/${id}`, barcode(record)),
    },
    {
      id: "item",
      name: own.columns.item,
      width: 8.5,
      kind: "code",
      isMain: true,
      value: (record) => items(record).join(" "),
      show: (record) =>
        linked(record.items?.[0]?.instanceId, (id) => `/inventory/${id}`, items(record).slice(0, 2).join(" ")),
    },
    { id: "object", name: own.columns.object, width: 7, value: ({ object }) => named(object, own.objects) },
    {
      id: "action",
      name: own.columns.action,
      width: 9,
      isMain: true,
      value: ({ action }) => named(action, own.actions),
      show: (record) => linked(way(record), (path) => path, named(record.action, own.actions)),
    },
    {
      id: "at",
      name: own.columns.at,
      width: 9,
      value: ({ servicePointId }) => (servicePointId ? (points.get(servicePointId) ?? "") : ""),
    },
    { id: "source", name: own.columns.source, width: 9, value: ({ source }) => source },
    { id: "description", name: own.columns.description, width: 20, value: ({ description }) => description },
  ];
}

/** Where more is told of what was done: the queue of a request, the fees or the loans of a patron. */
export function way({ linkToIds, items }: LogRecord): string | undefined {
  if (linkToIds?.requestId) {
    const item = items?.[0]?.itemBarcode;
    return item ? `/requests?query=${encodeURIComponent(item)}` : undefined;
  }
  return linkToIds?.userId ? `/patrons/${linkToIds.userId}` : undefined;
}

/** Enter in the row leads on: the tabulator key would go through all rows. */
function linked(id: string | undefined, to: (id: string) => string, text: ReactNode): ReactNode {
  if (!id || !text) return text;
  return (
    <Link href={to(id)} tabIndex={-1}>
      {text}
    </Link>
  );
}
