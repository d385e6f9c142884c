/** The log of a job: the result of each record, with the reasons of errors. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { type ImportChange, type LogEntry, loadChanges, loadLogEntries, toQueryString } from "../api/imports.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { Pager, usePage } from "../parts/pager.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { CheckboxField } from "../parts/tick.tsx";
import { useMay } from "../shell/session.ts";
import { Changes, useValueNames } from "./changes.tsx";
import { errorsByReason, type Outcome, outcomesOfEntry } from "./entry.ts";
import { IncomingDialog } from "./incoming.tsx";
import { explainError } from "./reasons.ts";
import { MAY_READ_RECORDS, MAY_SEE_CHANGES } from "./rights.ts";
import { useImportWords } from "./words/index.tsx";

const REFETCH_MS = 1_500;
const ALL = "ALL";
/** Entity types of the server, with their names at the desk. */
const ENTITY_TYPES = {
  MARC: "source",
  INSTANCE: "instance",
  HOLDINGS: "holdings",
  ITEM: "item",
  AUTHORITY: "authority",
} as const;
const YES = "yes";
const NO = "no";

export function JobLog({ job, isRunning, isTrial }: { job: string; isRunning: boolean; isTrial: boolean }) {
  const own = useImportWords();
  const words = own.job;
  const [get, set] = useAddress();
  const page = usePage();
  const errorsOnly = get("errors") === YES;
  const kind = get("kind") in ENTITY_TYPES ? get("kind") : ALL;
  const query = toQueryString({ entityType: kind, errorsOnly, sortBy: "source_record_order", order: "asc", ...page });
  const found = useQuery({
    // Loaded once more when the job has ended.
    queryKey: ["import-log", job, query, isRunning],
    refetchInterval: isRunning && REFETCH_MS,
    queryFn: ({ signal }) => loadLogEntries(job, query, signal),
    placeholderData: keepPreviousData,
  });
  const { entries = [], totalRecords = 0 } = found.data ?? {};
  const { shown, changes, named } = useRecordChanges(job, entries, isTrial);
  const kinds = Object.entries(ENTITY_TYPES).map(([id, entity]) => ({ id, name: own.entities[entity] }));
  return (
    <section className="import-log" aria-label={words.log}>
      <h2>{words.log}</h2>
      <div className="list-filters">
        <CheckboxField value={errorsOnly} onChange={(on) => set({ errors: on ? YES : undefined, page: undefined })}>
          {words.errorsOnly}
        </CheckboxField>
        {shown !== undefined && (
          <CheckboxField value={shown} onChange={(on) => set({ changes: on === isTrial ? undefined : on ? YES : NO })}>
            {isTrial ? own.changes.show : own.changes.showDone}
          </CheckboxField>
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
      {found.error && <ErrorMessage error={found.error} retry={() => void found.refetch()} />}
      {found.isSuccess && entries.length === 0 && <EmptyMessage>{words.nothing}</EmptyMessage>}
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
                  <LogRow key={entry.incomingRecordId ?? entry.sourceRecordOrder} entry={entry} isTrial={isTrial}>
                    <Changes
                      changes={changes.get(Number(entry.sourceRecordOrder)) ?? []}
                      isTrial={isTrial}
                      named={named}
                    />
                  </LogRow>
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

/** The changes of the records on this page, by record number; loaded only if the user wants to see them. */
function useRecordChanges(job: string, entries: readonly LogEntry[], isTrial: boolean) {
  const may = useMay();
  const [get] = useAddress();
  const shown = get("changes") === "" ? isTrial : get("changes") === YES;
  const records = entries.map(({ sourceRecordOrder }) => sourceRecordOrder);
  const found = useQuery({
    queryKey: ["import-changes", job, records.join(",")],
    enabled: may(MAY_SEE_CHANGES) && shown && records.length > 0,
    queryFn: ({ signal }) => loadChanges(job, records, signal),
    placeholderData: keepPreviousData,
  });
  const all = shown ? (found.data ?? []) : [];
  const changes = new Map<number, ImportChange[]>();
  for (const change of all) changes.set(change.recordOrder, [...(changes.get(change.recordOrder) ?? []), change]);
  return { shown: may(MAY_SEE_CHANGES) ? shown : undefined, changes, named: useValueNames(all) };
}

function LogRow({ entry, isTrial, children }: { entry: LogEntry; isTrial: boolean; children: ReactNode }) {
  const words = useImportWords().job;
  const may = useMay();
  const { incomingRecordId, sourceRecordOrder, sourceRecordTitle, remark } = entry;
  const found = outcomesOfEntry(entry, isTrial);
  // People count from one.
  const number = String(Number(sourceRecordOrder) + 1);
  const title = sourceRecordTitle || words.untitled;
  return (
    <tr>
      <td>{number}</td>
      <th scope="row">
        <bdi>{title}</bdi>
        {incomingRecordId && may(MAY_READ_RECORDS) && (
          <DialogOpener>
            <Button kind="quiet" aria-label={words.incomingOf(number, title)}>
              {words.asIncoming}
            </Button>
            <IncomingDialog id={incomingRecordId} title={words.incomingOf(number, title)} />
          </DialogOpener>
        )}
      </th>
      <td>
        <ul className="import-outcomes">
          {found.map((outcome, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never change their order
            <li key={index}>
              <OutcomeText outcome={outcome} isTrial={isTrial} />
            </li>
          ))}
        </ul>
        {errorsByReason(found).map(({ error }) => (
          <Reason key={error} error={error} />
        ))}
        {remark !== undefined && <Reason error={remark} />}
        {children}
      </td>
    </tr>
  );
}

interface OutcomeProps {
  outcome: Outcome;
  isTrial: boolean;
}

function OutcomeText({ outcome: { entity, status, number, path, error }, isTrial }: OutcomeProps) {
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
  const known = explainError(error, own.reasons);
  return (
    <p className="import-reason">
      {known ?? own.job.originally(error)}
      {known && <small>{own.job.originally(error)}</small>}
    </p>
  );
}
