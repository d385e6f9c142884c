/** One job: what it was, what it did in figures, and what became of each record. */

import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import { job as jobOf, summary } from "../api/imports.ts";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { lines } from "./entry.ts";
import { Log } from "./log.tsx";
import { hasEnded } from "./progress.ts";
import { MAY_READ_JOB } from "./rights.ts";
import { nameOf } from "./running.tsx";
import { useImportWords } from "./words/index.tsx";

const OFTEN_MS = 3_000;

export function JobPage() {
  const { id = "" } = useParams();
  const own = useImportWords();
  const words = own.job;
  const formats = useFormats();
  const may = useMay();
  const asked = useQuery({
    queryKey: ["import-job", id],
    enabled: may(MAY_READ_JOB),
    refetchInterval: ({ state }) => (state.data && !hasEnded(state.data) ? OFTEN_MS : false),
    queryFn: () => jobOf(id),
  });
  const job = asked.data;
  const isRunning = job !== undefined && !hasEnded(job);
  const facts = job && [
    [words.outcome, isRunning ? words.running : own.finished.outcomes[job.status]],
    [words.profile, job.jobProfileInfo?.name],
    [words.who, nameOf(job.runBy)],
    [words.started, job.startedDate && formats.moment(job.startedDate)],
    [words.ended, job.completedDate && formats.moment(job.completedDate)],
    [words.number, job.hrId],
  ];
  return (
    <>
      <header className="settings-head">
        <h1>{job ? <bdi>{job.fileName}</bdi> : words.log}</h1>
        <Link href="/import">{words.back}</Link>
      </header>
      {asked.isLoading && <Loading />}
      {asked.error && <Trouble error={asked.error} retry={() => void asked.refetch()} />}
      {facts && (
        <dl className="import-facts">
          {facts.map(
            ([name, value]) =>
              value !== undefined &&
              value !== "" && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
      )}
      <Figures id={id} isRunning={isRunning} />
      <Log job={id} isRunning={isRunning} />
    </>
  );
}

function Figures({ id, isRunning }: { id: string; isRunning: boolean }) {
  const own = useImportWords();
  const words = own.job;
  const formats = useFormats();
  const asked = useQuery({
    queryKey: ["import-summary", id, isRunning],
    retry: false,
    refetchInterval: isRunning && OFTEN_MS,
    queryFn: () => summary(id),
  });
  if (asked.isPending) return <Loading />;
  const found = asked.data ? lines(asked.data) : [];
  // A job that has read no record has no summary.
  if (found.length === 0) return <Empty>{words.noSummary}</Empty>;
  return (
    <section aria-label={words.summary}>
      <h2>{words.summary}</h2>
      <div className="import-wide">
        <table className="import-table figures">
          <thead>
            <tr>
              {(["entity", "created", "updated", "discarded", "errors"] as const).map((column) => (
                <th key={column} scope="col">
                  {words[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.map(({ entity, created, updated, discarded, errors }) => (
              <tr key={entity}>
                <th scope="row">{own.entities[entity]}</th>
                <td>{formats.number(created)}</td>
                <td>{formats.number(updated)}</td>
                <td>{formats.number(discarded)}</td>
                <td className={errors > 0 ? "bad" : ""}>{formats.number(errors)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
