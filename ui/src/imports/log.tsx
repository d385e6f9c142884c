/** What became of each record of a job, and why. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type LogEntry, log, parameters } from "../api/imports.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Opens } from "../parts/opens.tsx";
import { Pager, usePage } from "../parts/pager.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { Tick } from "../parts/tick.tsx";
import { useMay } from "../shell/session.ts";
import { mistakes, type Outcome, outcomes } from "./entry.ts";
import { IncomingDialog } from "./incoming.tsx";
import { inOwnWords } from "./reasons.ts";
import { MAY_READ_RECORDS } from "./rights.ts";
import { useImportWords } from "./words/index.tsx";

const OFTEN_MS = 3_000;
const ALL = "ALL";
/** As the server calls them, with the desk's names. */
const KINDS = {
  MARC: "source",
  INSTANCE: "instance",
  HOLDINGS: "holdings",
  ITEM: "item",
  AUTHORITY: "authority",
} as const;
const YES = "yes";

export function Log({ job, isRunning }: { job: string; isRunning: boolean }) {
  const own = useImportWords();
  const words = own.job;
  const [get, set] = useAddress();
  const page = usePage();
  const errorsOnly = get("errors") === YES;
  const kind = get("kind") in KINDS ? get("kind") : ALL;
  const query = parameters({ entityType: kind, errorsOnly, sortBy: "source_record_order", order: "asc", ...page });
  const found = useQuery({
    queryKey: ["import-log", job, query],
    refetchInterval: isRunning && OFTEN_MS,
    queryFn: ({ signal }) => log(job, query, signal),
    placeholderData: keepPreviousData,
  });
  const { entries = [], totalRecords = 0 } = found.data ?? {};
  const kinds = Object.entries(KINDS).map(([id, entity]) => ({ id, name: own.entities[entity] }));
  return (
    <section className="import-log" aria-label={words.log}>
      <h2>{words.log}</h2>
      <div className="list-filters">
        <Tick value={errorsOnly} onChange={(on) => set({ errors: on ? YES : undefined, page: undefined })}>
          {words.errorsOnly}
        </Tick>
        <Choice
          className="inline"
          label={words.entityFilter}
          options={[{ id: ALL, name: words.all }, ...kinds]}
          value={kind}
          onChange={(id) => set({ kind: id === ALL ? undefined : id, page: undefined })}
        />
      </div>
      {found.isPending && <Loading />}
      {found.error && <Trouble error={found.error} retry={() => void found.refetch()} />}
      {found.isSuccess && entries.length === 0 && <Empty>{words.nothing}</Empty>}
      {entries.length > 0 && (
        <>
          <div className="import-wide">
            <table className="import-table">
              <thead>
                <tr>
                  <th scope="col">{words.record}</th>
                  <th scope="col">{words.what}</th>
                  <th scope="col">{words.became}</th>
                </tr>
              </thead>
              <tbody>
                {entries.map((entry) => (
                  <Entry key={entry.incomingRecordId ?? entry.sourceRecordOrder} entry={entry} />
                ))}
              </tbody>
            </table>
          </div>
          <Pager total={totalRecords} />
        </>
      )}
    </section>
  );
}

function Entry({ entry }: { entry: LogEntry }) {
  const words = useImportWords().job;
  const may = useMay();
  const { incomingRecordId, sourceRecordOrder, sourceRecordTitle } = entry;
  const found = outcomes(entry);
  // People count from one.
  const number = String(Number(sourceRecordOrder) + 1);
  const title = sourceRecordTitle || words.untitled;
  return (
    <tr>
      <td>{number}</td>
      <th scope="row">
        <bdi>{title}</bdi>
        {incomingRecordId && may(MAY_READ_RECORDS) && (
          <Opens>
            <Button kind="quiet" aria-label={words.incomingOf(number, title)}>
              {words.asIncoming}
            </Button>
            <IncomingDialog id={incomingRecordId} title={words.incomingOf(number, title)} />
          </Opens>
        )}
      </th>
      <td>
        <ul className="import-outcomes">
          {found.map((outcome, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
            <li key={index}>
              <OneOutcome outcome={outcome} />
            </li>
          ))}
        </ul>
        {mistakes(found).map(({ error }) => (
          <Reason key={error} error={error} />
        ))}
      </td>
    </tr>
  );
}

function OneOutcome({ outcome: { entity, status, number, path, error } }: { outcome: Outcome }) {
  const own = useImportWords();
  const says = status ? own.statuses[status] : own.failed;
  const name = number ? `${own.entities[entity]} ${number}` : own.entities[entity];
  return (
    <>
      {path ? <Link href={path}>{name}</Link> : name}{" "}
      <span className={error !== undefined || status === "DISCARDED" ? "bad" : "good"}>{says}</span>
    </>
  );
}

function Reason({ error }: { error: string }) {
  const own = useImportWords();
  const known = inOwnWords(error, own.reasons);
  return (
    <p className="import-reason">
      {known ?? own.job.originally(error)}
      {known && <small>{own.job.originally(error)}</small>}
    </p>
  );
}
