/** The columns of all lists: each list names those that it has. */

import { Link } from "wouter";
import type { TableColumn } from "../parts/table/column.ts";
import { shortStatus } from "../requests/names.ts";
import type { Words } from "../words/en.ts";
import type { Formats } from "../words/index.tsx";
import type { ListKind } from "./kind.ts";
import type { ListRow } from "./row.ts";
import type { ListWords } from "./words/en.ts";

export type ColumnName = keyof ListWords["columns"];

type Made = Omit<TableColumn<ListRow>, "id" | "name" | "isExtra" | "isMain">;

const DAY_MS = 86_400_000;
const days = (instant: string | undefined) =>
  instant === undefined ? undefined : Math.floor((Date.now() - Date.parse(instant)) / DAY_MS);

/** Without the day of the week: columns are narrow. */
const short = (formats: Formats) => (instant: string) => formats.date(formats.isoDay(instant));

/** In narrow windows. */
const MAIN: readonly ColumnName[] = ["title", "due", "since", "daysSince", "requestStatus", "kept"];

export function columnsOf(
  kind: Pick<ListKind, "columns" | "extra">,
  own: ListWords,
  words: Words,
  formats: Formats,
): TableColumn<ListRow>[] {
  const made = { ...aboutCopies(words), ...aboutPatrons(), ...aboutLoans(formats), ...aboutRequests(words, formats) };
  return [...kind.columns, ...kind.extra].map((id) => ({
    id,
    name: own.columns[id],
    isExtra: kind.extra.includes(id),
    isMain: MAIN.includes(id),
    ...made[id],
  }));
}

type Part<Name extends ColumnName> = Record<Name, Made>;

const plain = (width: number, value: Made["value"]): Made => ({ width, value });
const number = (width: number, value: Made["value"]): Made => ({ width, value, kind: "number" });

function aboutCopies(
  words: Words,
): Part<
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
          // Enter in the row leads there: the tabulator key would go through all rows.
          <Link href={`/inventory/${instanceId}`} tabIndex={-1}>
            {title}
          </Link>
        ) : (
          title
        ),
    },
    barcode: { width: 7.5, value: ({ barcode }) => barcode, kind: "code" },
    callNumber: plain(7, ({ callNumber }) => callNumber),
    location: plain(8.5, ({ location }) => location),
    permanentLocation: plain(9, ({ item }) => item?.permanentLocation?.name),
    loanType: plain(7, ({ item }) => (item?.temporaryLoanType ?? item?.permanentLoanType)?.name),
    notes: plain(14, ({ item }) => item?.notes?.map(({ note }) => note).join("; ")),
    status: plain(6, ({ status }) => inWords(status)),
    materialType: plain(6, ({ materialType }) => materialType),
    from: plain(10, ({ from }) => from),
    servicePoint: plain(10, ({ servicePoint }) => servicePoint),
  };
}

function aboutPatrons(): Part<"patron" | "patronBarcode" | "group"> {
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
    group: plain(6, ({ group }) => group),
  };
}

function aboutLoans(
  formats: Formats,
): Part<"due" | "overdue" | "loanDate" | "renewals" | "policy" | "owed" | "since" | "daysSince"> {
  const shortDay = short(formats);
  const due = (instant: string) =>
    formats.due(instant) === formats.day(instant)
      ? shortDay(instant)
      : `${shortDay(instant)}, ${formats.time(instant)}`;
  const day = (width: number, value: (row: ListRow) => string | undefined, as = shortDay): Made => ({
    width,
    value,
    show: (row) => {
      const instant = value(row);
      return instant && as(instant);
    },
  });
  return {
    due: day(6.5, ({ loan }) => loan?.dueDate, due),
    overdue: number(5, ({ loan }) => days(loan?.dueDate)),
    loanDate: day(6.5, ({ loan }) => loan?.loanDate),
    renewals: number(5.25, ({ loan }) => loan?.renewalCount ?? (loan && 0)),
    policy: plain(9, ({ loan }) => loan?.loanPolicy?.name),
    owed: {
      ...number(5, ({ loan }) => loan?.feesAndFines?.amountRemainingToPay || undefined),
      show: ({ loan }) => {
        const owed = loan?.feesAndFines?.amountRemainingToPay;
        return owed ? formats.money(owed) : null;
      },
    },
    since: day(6.5, ({ since }) => since),
    daysSince: number(4.5, ({ since }) => days(since)),
  };
}

function aboutRequests(
  words: Words,
  formats: Formats,
): Part<
  "type" | "requestStatus" | "position" | "requested" | "wanted" | "kept" | "cancelled" | "comments" | "level" | "tags"
> {
  const shortDay = short(formats);
  const day = (value: (row: ListRow) => string | undefined): Made => ({
    width: 6.5,
    value,
    show: (row) => {
      const instant = value(row);
      return instant && shortDay(instant);
    },
  });
  return {
    type: plain(6, ({ request }) => words.requestTypes[request?.requestType ?? ""] ?? request?.requestType),
    requestStatus: {
      ...plain(8, ({ request }) => words.statuses[request?.status ?? ""] ?? request?.status),
      // Whether it is open says the list.
      show: ({ request }) => request && shortStatus(request.status, words),
    },
    position: number(4, ({ request }) => request?.position),
    requested: day(({ request }) => request?.requestDate),
    wanted: day(({ request }) => request?.requestExpirationDate),
    kept: day(({ request }) => request?.holdShelfExpirationDate),
    comments: plain(12, ({ request }) => request?.patronComments),
    cancelled: plain(10, ({ request }) => request?.cancellationAdditionalInformation),
    tags: plain(8, ({ request }) => request?.tags?.tagList?.join(", ")),
    level: plain(5, ({ request }) => request?.requestLevel),
  };
}
