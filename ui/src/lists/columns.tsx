/** The columns that lists can have. Each list names its columns in `kinds.ts` or `request-kinds.ts`. */

import { Link } from "wouter";
import type { TableColumn } from "../parts/table/column.ts";
import { shortStatus } from "../requests/names.ts";
import type { Words } from "../words/en.ts";
import type { Formats } from "../words/index.tsx";
import type { ListKind } from "./kind.ts";
import type { ListRow } from "./row.ts";
import type { ListWords } from "./words/en.ts";

export type ColumnName = keyof ListWords["columns"];

type ColumnContent = Omit<TableColumn<ListRow>, "id" | "name" | "isExtra" | "isMain">;

const DAY_MS = 86_400_000;
const wholeDaysSince = (instant: string | undefined) =>
  instant === undefined ? undefined : Math.floor((Date.now() - Date.parse(instant)) / DAY_MS);

/** A date without the day of the week, because columns are narrow. */
const shortDayFormatter = (formats: Formats) => (instant: string) => formats.date(formats.isoDay(instant));

/** Columns that narrow windows show, too. */
const MAIN_COLUMNS: readonly ColumnName[] = ["title", "due", "since", "daysSince", "requestStatus", "kept"];

export function columnsOf(
  kind: Pick<ListKind, "columns" | "extra">,
  own: ListWords,
  words: Words,
  formats: Formats,
): TableColumn<ListRow>[] {
  const made = {
    ...itemColumns(words),
    ...patronColumns(),
    ...loanColumns(formats),
    ...requestColumns(words, formats),
  };
  return [...kind.columns, ...kind.extra].map((id) => ({
    id,
    name: own.columns[id],
    isExtra: kind.extra.includes(id),
    isMain: MAIN_COLUMNS.includes(id),
    ...made[id],
  }));
}

type ColumnContents<Name extends ColumnName> = Record<Name, ColumnContent>;

const textColumn = (width: number, value: ColumnContent["value"]): ColumnContent => ({ width, value });
const numberColumn = (width: number, value: ColumnContent["value"]): ColumnContent => ({
  width,
  value,
  kind: "number",
});

function itemColumns(
  words: Words,
): ColumnContents<
  | "title"
  | "barcode"
  | "callNumber"
  | "location"
  | "permanentLocation"
  | "loanType"
  | "notes"
  | "status"
  | "materialType"
  | "from"
  | "servicePoint"
> {
  const inWords = (status: string | undefined) => words.statuses[status ?? ""] ?? status;
  return {
    title: {
      width: 12.5,
      value: ({ title }) => title,
      show: ({ title, instanceId }) =>
        instanceId ? (
          // Not reached by the Tab key, which would stop in every row; Enter in the row opens the title.
          <Link href={`/inventory/${instanceId}`} tabIndex={-1}>
            {title}
          </Link>
        ) : (
          title
        ),
    },
    barcode: { width: 7.5, value: ({ barcode }) => barcode, kind: "code" },
    callNumber: textColumn(7, ({ callNumber }) => callNumber),
    location: textColumn(8.5, ({ location }) => location),
    permanentLocation: textColumn(9, ({ item }) => item?.permanentLocation?.name),
    loanType: textColumn(7, ({ item }) => (item?.temporaryLoanType ?? item?.permanentLoanType)?.name),
    notes: textColumn(14, ({ item }) => item?.notes?.map(({ note }) => note).join("; ")),
    status: textColumn(6, ({ status }) => inWords(status)),
    materialType: textColumn(6, ({ materialType }) => materialType),
    from: textColumn(10, ({ lastCheckInPoint }) => lastCheckInPoint),
    servicePoint: textColumn(10, ({ servicePoint }) => servicePoint),
  };
}

function patronColumns(): ColumnContents<"patron" | "patronBarcode" | "group"> {
  return {
    patron: {
      width: 8,
      value: ({ patron }) => patron,
      show: ({ patron, patronId }) =>
        patronId ? (
          <Link href={`/patrons/${patronId}`} tabIndex={-1}>
            {patron}
          </Link>
        ) : (
          patron
        ),
    },
    patronBarcode: { width: 8.5, value: ({ patronBarcode }) => patronBarcode, kind: "code" },
    group: textColumn(6, ({ group }) => group),
  };
}

function loanColumns(
  formats: Formats,
): ColumnContents<"due" | "overdue" | "loanDate" | "renewals" | "policy" | "owed" | "since" | "daysSince"> {
  const shortDay = shortDayFormatter(formats);
  const due = (instant: string) =>
    formats.due(instant) === formats.day(instant)
      ? shortDay(instant)
      : `${shortDay(instant)}, ${formats.time(instant)}`;
  const day = (width: number, value: (row: ListRow) => string | undefined, as = shortDay): ColumnContent => ({
    width,
    value,
    show: (row) => {
      const instant = value(row);
      return instant && as(instant);
    },
  });
  return {
    due: day(6.5, ({ loan }) => loan?.dueDate, due),
    overdue: numberColumn(6, ({ loan }) => wholeDaysSince(loan?.dueDate)),
    loanDate: day(6.5, ({ loan }) => loan?.loanDate),
    renewals: numberColumn(5.25, ({ loan }) => loan?.renewalCount ?? (loan && 0)),
    policy: textColumn(9, ({ loan }) => loan?.loanPolicy?.name),
    owed: {
      ...numberColumn(5.5, ({ loan }) => loan?.feesAndFines?.amountRemainingToPay || undefined),
      show: ({ loan }) => {
        const owed = loan?.feesAndFines?.amountRemainingToPay;
        return owed ? formats.money(owed) : null;
      },
    },
    since: day(6.5, ({ since }) => since),
    daysSince: numberColumn(4.5, ({ since }) => wholeDaysSince(since)),
  };
}

function requestColumns(
  words: Words,
  formats: Formats,
): ColumnContents<
  "type" | "requestStatus" | "position" | "requested" | "wanted" | "kept" | "cancelled" | "comments" | "level" | "tags"
> {
  const shortDay = shortDayFormatter(formats);
  const day = (value: (row: ListRow) => string | undefined): ColumnContent => ({
    width: 6.5,
    value,
    show: (row) => {
      const instant = value(row);
      return instant && shortDay(instant);
    },
  });
  return {
    type: textColumn(6, ({ request }) => words.requestTypes[request?.requestType ?? ""] ?? request?.requestType),
    requestStatus: {
      ...textColumn(8, ({ request }) => words.statuses[request?.status ?? ""] ?? request?.status),
      // Without "Open" or "Closed": the title of the list says which.
      show: ({ request }) => request && shortStatus(request.status, words),
    },
    position: numberColumn(4.5, ({ request }) => request?.position),
    requested: day(({ request }) => request?.requestDate),
    wanted: day(({ request }) => request?.requestExpirationDate),
    kept: day(({ request }) => request?.holdShelfExpirationDate),
    comments: textColumn(12, ({ request }) => request?.patronComments),
    cancelled: textColumn(10, ({ request }) => request?.cancellationAdditionalInformation),
    tags: textColumn(8, ({ request }) => request?.tags?.tagList?.join(", ")),
    level: textColumn(5, ({ request }) => request?.requestLevel),
  };
}
