/** The page of an import job: its data, its summary, and its log. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link, useLocation, useParams } from "wouter";
import { canImportTrial, importTrialFile, type Job, loadJob as jobOf, loadSummary } from "../api/imports.ts";
import { Button } from "../parts/button.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { countsByEntity } from "./entry.ts";
import { JobLog } from "./log.tsx";
import { hasEnded } from "./progress.ts";
import { MAY_CANCEL, MAY_IMPORT_TRIED, MAY_READ_JOB } from "./rights.ts";
import { CancelButton, JobProgress, personName } from "./running.tsx";
import { UndoButton, UndoProgress, useUndoState } from "./undo.tsx";
import { useImportWords } from "./words/index.tsx";

const REFETCH_MS = 1_500;

export function JobPage() {
  const { id = "" } = useParams();
  const own = useImportWords();
  const words = own.job;
  const formats = useFormats();
  const may = useMay();
  const asked = useQuery({
    queryKey: ["import-job", id],
    enabled: may(MAY_READ_JOB),
    refetchInterval: ({ state }) => (state.data && !hasEnded(state.data) ? REFETCH_MS : false),
    queryFn: () => jobOf(id),
  });
  const job = asked.data;
  const isRunning = job !== undefined && !hasEnded(job);
  const isTrial = job?.isTrial ?? false;
  const undo = useUndoState({ id }, job !== undefined && !isRunning && !isTrial);
  useAnnounceEnd(job);
  const facts = job && [
    [words.outcome, isRunning ? words.running : own.finished.outcomes[job.status]],
    [words.profile, job.jobProfileInfo?.name],
    [words.who, personName(job.runBy)],
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
      {isTrial && <p className="banner trial">{own.trial.says}</p>}
      {asked.isLoading && <Loading />}
      {asked.error && <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />}
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
      {job && isRunning && (
        <section className="import-how-far" aria-label={words.running}>
          <JobProgress job={job} />
          {may(MAY_CANCEL) && <CancelButton job={job} />}
        </section>
      )}
      {undo.error && <ErrorMessage error={undo.error} retry={() => void undo.refetch()} />}
      {job && undo.data && <UndoProgress job={job} state={undo.data} />}
      {job && !isRunning && (
        <div className="buttons import-next">
          {isTrial ? (
            <ImportAfterTrial job={job} />
          ) : (
            undo.data?.status === "NOT_STARTED" && canBeUndone(job) && <UndoButton job={job} />
          )}
        </div>
      )}
      {/* Not before it is known whether there is more to come. */}
      {!asked.isLoading && (
        <>
          <JobSummary id={id} isRunning={isRunning} isTrial={isTrial} />
          <JobLog job={id} isRunning={isRunning} isTrial={isTrial} />
        </>
      )}
    </>
  );
}

const canBeUndone = ({ status, progress }: Job) => status !== "DISCARDED" && (progress?.current ?? 0) > 0;

function useAnnounceEnd(job: Job | undefined): void {
  const words = useImportWords();
  const before = useRef<boolean>(undefined);
  const ended = job && hasEnded(job);
  const name = job?.fileName ?? "";
  const says = job?.isTrial ? words.trial.ended(name) : words.running.ended(name);
  useEffect(() => {
    if (ended && before.current === false) announce(says);
    before.current = ended;
  }, [ended, says]);
}

/** Imports a file for real after its trial, then opens the page of the new job. */
function ImportAfterTrial({ job: { id } }: { job: Job }) {
  const words = useImportWords().trial;
  const may = useMay();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const waits = useQuery({ queryKey: ["import-tried", id], queryFn: ({ signal }) => canImportTrial(id, signal) });
  const starting = useMutation({
    mutationFn: () => importTrialFile(id),
    onSuccess: async (made) => {
      announce(words.begun);
      navigate(`/import/jobs/${made.id}`);
      await client.invalidateQueries({ queryKey: ["import-jobs"] });
      await client.invalidateQueries({ queryKey: ["import-tried", id] });
    },
  });
  if (!may(MAY_IMPORT_TRIED)) return null;
  if (waits.data === false) return <p className="help">{words.done}</p>;
  return (
    <>
      {starting.error && <ErrorMessage error={starting.error} />}
      <Button
        kind="primary"
        isDisabled={!waits.data || starting.isPending}
        onPress={() => starting.isPending || starting.mutate()}
      >
        {words.submit}
      </Button>
    </>
  );
}

function JobSummary({ id, isRunning, isTrial }: { id: string; isRunning: boolean; isTrial: boolean }) {
  const own = useImportWords();
  const words = isTrial ? { ...own.job, ...own.trial.figures } : own.job;
  const formats = useFormats();
  const asked = useQuery({
    queryKey: ["import-summary", id, isRunning],
    retry: false,
    refetchInterval: isRunning && REFETCH_MS,
    queryFn: () => loadSummary(id),
  });
  if (asked.isPending) return <Loading />;
  const found = asked.data ? countsByEntity(asked.data) : [];
  // A job that has read no record has no summary.
  if (found.length === 0) return <EmptyMessage>{words.noSummary}</EmptyMessage>;
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
