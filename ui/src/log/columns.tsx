/** The columns of the circulation log, with links to the patron, title or request of a record. */

import type { ReactNode } from "react";
import { Link } from "wouter";
import type { TableColumn } from "../parts/table/column.ts";
import type { Formats } from "../words/index.tsx";
import type { LogRecord } from "./records.ts";
import type { LogWords } from "./words/en.ts";

const NOBODY = "-";

const patronBarcode = ({ userBarcode }: LogRecord) => (userBarcode === NOBODY ? undefined : userBarcode);

export function logColumns(
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
      value: patronBarcode,
      show: (record) => linkInRow(record.linkToIds?.userId, (id) => `/patrons/${id}`, patronBarcode(record)),
    },
    {
      id: "item",
      name: own.columns.item,
      width: 8.5,
      kind: "code",
      isMain: true,
      value: (record) => items(record).join(" "),
      show: (record) =>
        linkInRow(record.items?.[0]?.instanceId, (id) => `/inventory/${id}`, items(record).slice(0, 2).join(" ")),
    },
    { id: "object", name: own.columns.object, width: 7, value: ({ object }) => named(object, own.objects) },
    {
      id: "action",
      name: own.columns.action,
      width: 9,
      isMain: true,
      value: ({ action }) => named(action, own.actions),
      show: (record) => linkInRow(pathOfRecord(record), (path) => path, named(record.action, own.actions)),
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

/** The page that tells more about a record: the requests for an item, or the fees or loans of a patron. */
export function pathOfRecord({ linkToIds, items }: LogRecord): string | undefined {
  if (linkToIds?.requestId) {
    const item = items?.[0]?.itemBarcode;
    return item ? `/requests?query=${encodeURIComponent(item)}` : undefined;
  }
  return linkToIds?.userId ? `/patrons/${linkToIds.userId}` : undefined;
}

/** Enter on the row follows the link, since the Tab key would otherwise stop at every row. */
function linkInRow(id: string | undefined, to: (id: string) => string, text: ReactNode): ReactNode {
  if (!id || !text) return text;
  return (
    <Link href={to(id)} tabIndex={-1}>
      {text}
    </Link>
  );
}
