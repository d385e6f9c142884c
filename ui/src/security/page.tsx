/** The security log: sign-ins and sign-outs, refusals, and changes of permissions. */

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useLocation } from "wouter";
import { type Lists, list } from "../api/list.ts";
import { Button } from "../parts/button.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import type { TableColumn } from "../parts/table/column.ts";
import { Table } from "../parts/table/table.tsx";
import { type Formats, useFormats } from "../words/index.tsx";
import { filtersToCql, readFilters } from "./asked.ts";
import { Filters } from "./filters.tsx";
import type { SecurityWords } from "./words/en.ts";
import { useSecurityWords } from "./words/index.tsx";
import "../lists/lists.css";

type SecurityEvent = Lists["/octavo/security-events"]["securityEvents"][number];

/** At most so many events are shown; filters narrow the list. */
const MAX_EVENTS = 1_000;

export default function SecurityPage() {
  const own = useSecurityWords();
  const formats = useFormats();
  const [get] = useAddress();
  const [, navigate] = useLocation();
  const wanted = readFilters(get);
  const found = useQuery({
    queryKey: ["security-events", wanted],
    queryFn: () =>
      list("/octavo/security-events", { query: filtersToCql(wanted, formats.timeZone), limit: MAX_EVENTS }),
  });
  const shown = useMemo(() => eventColumns(own, formats), [own, formats]);
  const { securityEvents: events = [], totalRecords: total = 0 } = found.data ?? {};
  return (
    <div className="table-page">
      <h1 className="unseen">{own.title}</h1>
      <Filters asked={wanted} />
      {found.isPending && <Loading />}
      {found.error && <ErrorMessage error={found.error} retry={() => void found.refetch()} />}
      {total > MAX_EVENTS && (
        <p className="banner warn">{own.firstOnly(formats.number(MAX_EVENTS), formats.number(total))}</p>
      )}
      {found.isSuccess && events.length === 0 && <EmptyMessage>{own.none}</EmptyMessage>}
      {events.length > 0 && (
        <Table
          label={own.title}
          rows={events}
          columns={shown}
          keyOf={eventKey}
          sort="-date"
          fileName={own.title}
          onOpen={({ userId }) => userId && navigate(`/patrons/${userId}`)}
        >
          <Button kind="quiet" onPress={() => void found.refetch()}>
            {own.again}
          </Button>
        </Table>
      )}
    </div>
  );
}

const eventKey = ({ id }: SecurityEvent) => id ?? "";

function eventColumns(own: SecurityWords, formats: Formats): TableColumn<SecurityEvent>[] {
  const named = ({ event = "" }: SecurityEvent) => own.events[event] ?? event;
  const told = ({ description = "", furtherOmitted }: SecurityEvent) =>
    [description, furtherOmitted && own.further].filter(Boolean).join(" ");
  return [
    {
      id: "date",
      name: own.columns.date,
      width: 14,
      isMain: true,
      value: ({ date }) => date,
      show: ({ date }) => date && formats.moment(date),
    },
    { id: "event", name: own.columns.event, width: 12, isMain: true, value: named },
    {
      id: "user",
      name: own.columns.user,
      width: 8,
      isMain: true,
      value: ({ username, userId }) => username ?? userId,
      show: ({ username, userId }) => accountLink(userId, username),
    },
    {
      id: "by",
      name: own.columns.by,
      width: 8,
      value: ({ byUsername, byUserId }) => byUsername ?? byUserId,
      show: ({ byUsername, byUserId }) => accountLink(byUserId, byUsername),
    },
    { id: "address", name: own.columns.address, width: 9, kind: "code", value: ({ address }) => address },
    {
      id: "request",
      name: own.columns.request,
      width: 9,
      kind: "code",
      isExtra: true,
      value: ({ requestId }) => requestId,
    },
    { id: "description", name: own.columns.description, width: 24, value: told },
  ];
}

/**
 * Enter on the row follows the link, since the Tab key would otherwise stop at every row. Of a deleted user only the id
 * is known.
 */
function accountLink(id: string | undefined, name: string | undefined) {
  if (!id || !name) return id;
  return (
    <Link href={`/patrons/${id}`} tabIndex={-1}>
      {name}
    </Link>
  );
}
