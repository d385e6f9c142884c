/** What became of each record of a job, and why. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { changesOf, type ImportChange, type LogEntry, log, parameters } from "../api/imports.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Opens } from "../parts/opens.tsx";
import { Pager, usePage } from "../parts/pager.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { Tick } from "../parts/tick.tsx";
import { useMay } from "../shell/session.ts";
import { Changes, useNamed } from "./changes.tsx";
import { mistakes, type Outcome, outcomes } from "./entry.ts";
import { IncomingDialog } from "./incoming.tsx";
import { inOwnWords } from "./reasons.ts";
import { MAY_READ_RECORDS, MAY_SEE_CHANGES } from "./rights.ts";
import { useImportWords } from "./words/index.tsx";

const OFTEN_MS = 1_500;
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
const NO = "no";

export function Log({ job, isRunning, isTrial }: { job: string; isRunning: boolean; isTrial: boolean }) {
  const own = useImportWords();
  const words = own.job;
  const [get, set] = useAddress();
  const page = usePage();
  const errorsOnly = get("errors") === YES;
  const kind = get("kind") in KINDS ? get("kind") : ALL;
  const query = parameters({ entityType: kind, errorsOnly, sortBy: "source_record_order", order: "asc", ...page });
  const found = useQuery({
    // Once more when it has ended.
    queryKey: ["import-log", job, query, isRunning],
    refetchInterval: isRunning && OFTEN_MS,
    queryFn: ({ signal }) => log(job, query, signal),
    placeholderData: keepPreviousData,
  });
  const { entries = [], totalRecords = 0 } = found.data ?? {};
  const { shown, changes, named } = useChanges(job, entries, isTrial);
  const kinds = Object.entries(KINDS).map(([id, entity]) => ({ id, name: own.entities[entity] }));
  return (
    <section className="import-log" aria-label={words.log}>
      <h2>{words.log}</h2>
      <div className="list-filters">
        <Tick value={errorsOnly} onChange={(on) => set({ errors: on ? YES : undefined, page: undefined })}>
          {words.errorsOnly}
        </Tick>
        {shown !== undefined && (
          <Tick value={shown} onChange={(on) => set({ changes: on === isTrial ? undefined : on ? YES : NO })}>
            {isTrial ? own.changes.show : own.changes.showDone}
          </Tick>
        )}
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
            <table className="import-table log">
              <thead>
                <tr>
                  <th scope="col">{words.record}</th>
                  <th scope="col">{words.what}</th>
                  <th scope="col">{isTrial ? own.trial.became : words.became}</th>
                </tr>
              </thead>
              <tbody>
                {entries.map((entry) => (
                  <Entry key={entry.incomingRecordId ?? entry.sourceRecordOrder} entry={entry} isTrial={isTrial}>
                    <Changes
                      changes={changes.get(Number(entry.sourceRecordOrder)) ?? []}
                      isTrial={isTrial}
                      named={named}
                    />
                  </Entry>
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

/** What the records of this page change, by their numbers; none is asked for unless one wants to see them. */
function useChanges(job: string, entries: readonly LogEntry[], isTrial: boolean) {
  const may = useMay();
  const [get] = useAddress();
  const shown = get("changes") === "" ? isTrial : get("changes") === YES;
  const records = entries.map(({ sourceRecordOrder }) => sourceRecordOrder);
  const found = useQuery({
    queryKey: ["import-changes", job, records.join(",")],
    enabled: may(MAY_SEE_CHANGES) && shown && records.length > 0,
    queryFn: ({ signal }) => changesOf(job, records, signal),
    placeholderData: keepPreviousData,
  });
  const all = shown ? (found.data ?? []) : [];
  const changes = new Map<number, ImportChange[]>();
  for (const change of all) changes.set(change.recordOrder, [...(changes.get(change.recordOrder) ?? []), change]);
  return { shown: may(MAY_SEE_CHANGES) ? shown : undefined, changes, named: useNamed(all) };
}

function Entry({ entry, isTrial, children }: { entry: LogEntry; isTrial: boolean; children: ReactNode }) {
  const words = useImportWords().job;
  const may = useMay();
  const { incomingRecordId, sourceRecordOrder, sourceRecordTitle, remark } = entry;
  const found = outcomes(entry, isTrial);
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
              <OneOutcome outcome={outcome} isTrial={isTrial} />
            </li>
          ))}
        </ul>
        {mistakes(found).map(({ error }) => (
          <Reason key={error} error={error} />
        ))}
        {remark !== undefined && <Reason error={remark} />}
        {children}
      </td>
    </tr>
  );
}

interface OneProps {
  outcome: Outcome;
  isTrial: boolean;
}

function OneOutcome({ outcome: { entity, status, number, path, error }, isTrial }: OneProps) {
  const own = useImportWords();
  const says = status ? (isTrial ? own.trial.statuses : own.statuses)[status] : own.failed;
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
