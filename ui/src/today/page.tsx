/** Today at this service point: what went out and came back, hour by hour, and what somebody should look at. */

import { parseDate, today, toZoned } from "@internationalized/date";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { all, is } from "../api/cql.ts";
import { ask } from "../api/http.ts";
import { list } from "../api/list.ts";
import type { SlowRequests } from "../api/octavo.ts";
import type { Loan } from "../api/records.ts";
import { Trouble } from "../parts/states.tsx";
import { useMay, useServicePoint } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { byHour, Hours } from "./hours.tsx";

/** A board that hangs on a wall follows by itself. */
const EVERY_MS = 30_000;
const MANY = 5000;

export default function Today() {
  const words = useWords();
  const formats = useFormats();
  const may = useMay();
  const here = useServicePoint();
  const day = today(formats.timeZone).toString();
  const start = toZoned(parseDate(day), formats.timeZone).toAbsoluteString();
  const id = here?.id ?? "";
  const out = useMoments(all(`loanDate>="${start}"`, is("checkoutServicePointId", id)), ({ loanDate }) => loanDate);
  const back = useMoments(
    all(`systemReturnDate>="${start}"`, is("checkinServicePointId", id)),
    // Not when it came back: the box of the night is emptied today.
    (loan) => loan.systemReturnDate,
  );
  const error = out.error ?? back.error;
  return (
    <div className="desk-page">
      <h1>{words.pages.today}</h1>
      <p className="help">
        {here?.name} · {formats.day(new Date().toISOString())}
      </p>
      {error && <Trouble error={error} retry={() => void out.refetch().then(() => back.refetch())} />}
      <div className="boards">
        <Hours name={words.today.lent} hours={byHour(out.data ?? [], formats.timeZone)} />
        <Hours name={words.today.returned} hours={byHour(back.data ?? [], formats.timeZone)} />
        {may("octavo.slow-requests.collection.get") && <Slow day={day} />}
      </div>
      <Watched servicePointId={id} />
      {may("octavo.lab.runs.collection.get") && (
        <p>
          <Link href="/lab">{words.lab.open}</Link>
        </p>
      )}
    </div>
  );
}

/** Until the server has answered, so that nothing moves then. */
const NONE_YET: Pick<SlowRequests, "fromMilliseconds" | "slowRequests"> = { fromMilliseconds: 500, slowRequests: [] };

/** What people had to wait for, today. */
function Slow({ day }: { day: string }) {
  const words = useWords();
  const { timeZone } = useFormats();
  const { data } = useQuery({
    queryKey: ["slow-requests"],
    refetchInterval: EVERY_MS,
    queryFn: () => list("/octavo/slow-requests", {}),
  });
  const { slowRequests, fromMilliseconds } = data ?? NONE_YET;
  const start = toZoned(parseDate(day), timeZone).toDate().getTime();
  const moments = slowRequests.map(({ at }) => at).filter((at) => new Date(at).getTime() >= start);
  return <Hours name={words.today.slow(fromMilliseconds)} hours={byHour(moments, timeZone)} />;
}

function useMoments(query: string, moment: (loan: Loan) => string | undefined) {
  return useQuery({
    queryKey: ["today", query],
    refetchInterval: EVERY_MS,
    queryFn: async () => {
      const { loans } = await list("/circulation/loans", { query, limit: MANY });
      return loans.flatMap((loan) => moment(loan) ?? []);
    },
  });
}

/** Numbers that should be small, each leading to where it can be made smaller. */
function Watched({ servicePointId }: { servicePointId: string }) {
  const words = useWords();
  const may = useMay();
  const shelf = is("pickupServicePointId", servicePointId);
  const now = new Date().toISOString();
  return (
    <ul className="watched">
      <Count name={words.today.fetch} path={`/circulation/pick-slips/${servicePointId}`} leads="/requests?view=pick" />
      <Count
        name={words.today.waiting}
        path="/circulation/requests"
        query={all(is("status", "Open - Awaiting pickup"), shelf)}
        leads="/requests?view=shelf"
      />
      <Count
        name={words.today.expired}
        path={`/circulation/requests-reports/hold-shelf-clearance/${servicePointId}`}
        leads="/requests?view=expired"
      />
      <Count
        name={words.today.overdue}
        path="/circulation/loans"
        query={`status.name==Open and dueDate<"${now.slice(0, 16)}:00Z"`}
      />
      {may("notice-ledger.notices.collection.get") && (
        <Count name={words.today.failed} path="/notice-ledger/notices" query="status==Failed" />
      )}
    </ul>
  );
}

function Count({ name, path, query, leads }: { name: string; path: string; query?: string; leads?: string }) {
  const formats = useFormats();
  const count = useQuery({
    // Minutes pass; the question stays the same.
    queryKey: ["today", name, path],
    refetchInterval: EVERY_MS,
    queryFn: async () =>
      (await ask<{ totalRecords: number }>(path, { query: { query, limit: query && 0 } })).totalRecords,
  });
  const words = useWords();
  // Blank until the answer is there: a dash reads as none.
  const shown = count.data === undefined ? (count.error ? words.unknown : "\u00a0") : formats.number(count.data);
  return (
    <li>
      <strong>{shown}</strong> {leads ? <Link href={leads}>{name}</Link> : name}
    </li>
  );
}
