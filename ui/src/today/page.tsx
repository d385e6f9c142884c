/** Today at this service point: check-outs and check-ins by the hour, and numbers that need attention. */

import { parseDate, today, toZoned } from "@internationalized/date";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { and, equals, sortBy } from "../api/cql.ts";
import { ask } from "../api/http.ts";
import { list, listAll } from "../api/list.ts";
import type { SlowRequests } from "../api/octavo.ts";
import { ErrorMessage } from "../parts/states.tsx";
import { useMay, useServicePoint } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { countByHour, HourChart } from "./hours.tsx";

/** Loaded again by itself, e.g. for a screen on a wall. */
const REFRESH_MS = 30_000;

export default function TodayPage() {
  const words = useWords();
  const formats = useFormats();
  const may = useMay();
  const here = useServicePoint();
  const day = today(formats.timeZone).toString();
  const start = toZoned(parseDate(day), formats.timeZone).toAbsoluteString();
  const id = here?.id ?? "";
  const out = useLoanMoments("loanDate", start, equals("checkoutServicePointId", id));
  // The time of the check-in, not the return date, which may be earlier for items from a book drop.
  const back = useLoanMoments("systemReturnDate", start, equals("checkinServicePointId", id));
  const error = out.error ?? back.error;
  return (
    <div className="desk-page">
      <h1>{words.pages.today}</h1>
      <p className="help">
        {here?.name} · {formats.day(new Date().toISOString())}
      </p>
      {error && <ErrorMessage error={error} retry={() => void out.refetch().then(() => back.refetch())} />}
      <div className="boards">
        <HourChart name={words.today.lent} hours={countByHour(out.data ?? [], formats.timeZone)} />
        <HourChart name={words.today.returned} hours={countByHour(back.data ?? [], formats.timeZone)} />
        {may("octavo.slow-requests.collection.get") && <SlowRequestChart day={day} />}
      </div>
      <WatchedNumbers servicePointId={id} />
      {may("octavo.lab.runs.collection.get") && (
        <p>
          <Link href="/lab">{words.lab.open}</Link>
        </p>
      )}
    </div>
  );
}

/** Shown until the server has answered, so that nothing moves then. */
const NO_SLOW_REQUESTS: Pick<SlowRequests, "fromMilliseconds" | "slowRequests"> = {
  fromMilliseconds: 500,
  slowRequests: [],
};

/** The slow requests of the server today. */
function SlowRequestChart({ day }: { day: string }) {
  const words = useWords();
  const { timeZone } = useFormats();
  const { data } = useQuery({
    queryKey: ["slow-requests"],
    refetchInterval: REFRESH_MS,
    queryFn: () => list("/octavo/slow-requests", {}),
  });
  const { slowRequests, fromMilliseconds } = data ?? NO_SLOW_REQUESTS;
  const start = toZoned(parseDate(day), timeZone).toDate().getTime();
  const moments = slowRequests.map(({ at }) => at).filter((at) => new Date(at).getTime() >= start);
  return <HourChart name={words.today.slow(fromMilliseconds)} hours={countByHour(moments, timeZone)} />;
}

/** The moments of check-outs or check-ins since `start`. */
function useLoanMoments(field: "loanDate" | "systemReturnDate", start: string, here: string) {
  const query = sortBy(and(`${field}>="${start}"`, here), field);
  return useQuery({
    queryKey: ["today", query],
    refetchInterval: REFRESH_MS,
    queryFn: async () => {
      const loans = await listAll("/circulation/loans", query, ({ loans }) => loans);
      return loans.flatMap((loan) => loan[field] ?? []);
    },
  });
}

/** Numbers that should be small, each with a link to the page that shows why. */
function WatchedNumbers({ servicePointId }: { servicePointId: string }) {
  const words = useWords();
  const may = useMay();
  const shelf = equals("pickupServicePointId", servicePointId);
  const now = new Date().toISOString();
  return (
    <ul className="watched">
      <WatchedNumber
        name={words.today.fetch}
        path={`/circulation/pick-slips/${servicePointId}`}
        leads="/requests?view=pick"
      />
      <WatchedNumber
        name={words.today.waiting}
        path="/circulation/requests"
        query={and(equals("status", "Open - Awaiting pickup"), shelf)}
        leads="/requests?view=shelf"
      />
      <WatchedNumber
        name={words.today.expired}
        path={`/circulation/requests-reports/hold-shelf-clearance/${servicePointId}`}
        leads="/requests?view=expired"
      />
      <WatchedNumber
        name={words.today.overdue}
        path="/circulation/loans"
        query={`status.name==Open and dueDate<"${now.slice(0, 16)}:00Z"`}
      />
      {may("notice-ledger.notices.collection.get") && (
        <WatchedNumber name={words.today.failed} path="/notice-ledger/notices" query="status==Failed" />
      )}
    </ul>
  );
}

function WatchedNumber({ name, path, query, leads }: { name: string; path: string; query?: string; leads?: string }) {
  const formats = useFormats();
  const count = useQuery({
    // The query has the current minute; the cache key does not, so that the number stays.
    queryKey: ["today", name, path],
    refetchInterval: REFRESH_MS,
    queryFn: async () =>
      (await ask<{ totalRecords: number }>(path, { query: { query, limit: query && 0 } })).totalRecords,
  });
  const words = useWords();
  // Blank until the server has answered, since a dash would read as none.
  const shown = count.data === undefined ? (count.error ? words.unknown : "\u00a0") : formats.number(count.data);
  return (
    <li>
      <strong>{shown}</strong> {leads ? <Link href={leads}>{name}</Link> : name}
    </li>
  );
}
