/** Running import jobs: progress, remaining time, and cancelling. */

import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { cancelJob, type Job, type Jobs, loadJobs, toQueryString } from "../api/imports.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { EmptyMessage, ErrorMessage } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import {
  addSample,
  doneShare,
  type ProgressSample,
  RUNNING_STATUSES,
  roundedDuration,
  secondsLeft,
  WAITING_STATUSES,
} from "./progress.ts";
import { MAY_CANCEL, MAY_READ_LOGS } from "./rights.ts";
import { useImportWords } from "./words/index.tsx";

const BUSY_REFETCH_MS = 1_500;
const IDLE_REFETCH_MS = 10_000;

const runningJobs = queryOptions<Jobs>({
  queryKey: ["import-jobs", "running"],
  refetchInterval: ({ state }) => (state.data?.jobExecutions.length ? BUSY_REFETCH_MS : IDLE_REFETCH_MS),
  queryFn: ({ signal }) =>
    loadJobs(
      toQueryString({
        statusAny: RUNNING_STATUSES,
        subordinationTypeNotAny: "COMPOSITE_CHILD",
        sortBy: "started_date,desc",
        limit: 100,
      }),
      signal,
    ),
});

export function RunningJobs() {
  const words = useImportWords().running;
  const asked = useQuery(runningJobs);
  const all = asked.data?.jobExecutions;
  useAnnounceEnds(all);
  return (
    <section aria-labelledby="import-running">
      <h2 id="import-running">{words.title}</h2>
      {asked.error && <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />}
      {all?.length === 0 && <EmptyMessage>{words.none}</EmptyMessage>}
      <ul className="rows">
        {all?.map((job) => (
          <RunningJob key={job.id} job={job} />
        ))}
      </ul>
    </section>
  );
}

/** When a job has ended, this is announced, and the list of finished jobs is reloaded. */
function useAnnounceEnds(all: readonly Job[] | undefined): void {
  const words = useImportWords().running;
  const client = useQueryClient();
  const before = useRef(new Map<string, string>());
  useEffect(() => {
    if (all === undefined) return;
    const now = new Map(all.map(({ id, fileName = "" }) => [id, fileName]));
    const ended = [...before.current].filter(([id]) => !now.has(id));
    before.current = now;
    if (ended.length === 0) return;
    for (const [, file] of ended) announce(words.ended(file));
    void client.invalidateQueries({ queryKey: ["import-jobs", "finished"] });
  }, [all, words, client]);
}

function RunningJob({ job }: { job: Job }) {
  const words = useImportWords().running;
  const may = useMay();
  const { id, fileName = "", jobProfileInfo, runBy, isTrial } = job;
  return (
    <li className="row import-job">
      <div className="what">
        <strong>
          <bdi>{fileName}</bdi>
        </strong>
        {isTrial && <span className="trial-mark">{words.trial}</span>}
        <small>{words.by(jobProfileInfo?.name ?? "", personName(runBy))}</small>
        <JobProgress job={job} />
      </div>
      <div className="actions">
        {may(MAY_READ_LOGS) && (
          <Link className="button quiet" href={`/import/jobs/${id}`}>
            {words.log}
          </Link>
        )}
        {may(MAY_CANCEL) && <CancelButton job={job} />}
      </div>
    </li>
  );
}

/** A bar, and how many records are done. */
export function JobProgress({ job }: { job: Job }) {
  const words = useImportWords().running;
  const formats = useFormats();
  const { current = 0, total = 0 } = job.progress ?? {};
  const left = useTimeLeft(job);
  const done = doneShare(job);
  const isWaiting = WAITING_STATUSES.includes(job.status);
  return (
    <>
      <progress aria-label={job.fileName ?? ""} max={1} {...(done !== undefined && !isWaiting && { value: done })} />
      <small>
        {isWaiting
          ? words.waiting
          : done === undefined
            ? words.counting
            : words.of(formats.number(current), formats.number(total))}
        {left !== undefined && `, ${words.left(roundedDuration(left))}`}
      </small>
    </>
  );
}

export function CancelButton({ job: { id, fileName = "" } }: { job: Job }) {
  const words = useImportWords().running;
  const client = useQueryClient();
  return (
    <DialogOpener>
      <Button kind="quiet">{words.cancel}</Button>
      <FormDialog
        title={words.cancelTitle(fileName)}
        submit={words.cancelSubmit}
        danger
        onSubmit={async () => {
          await cancelJob(id);
          announce(words.cancelled(fileName));
          await client.invalidateQueries({ queryKey: ["import-jobs"] });
        }}
      >
        <p>{words.cancelHelp}</p>
      </FormDialog>
    </DialogOpener>
  );
}

/** Remaining time in seconds, estimated from the progress since the page was opened. */
function useTimeLeft({ progress }: Job): number | undefined {
  const { current = 0, total = 0 } = progress ?? {};
  const [all, setAll] = useState<readonly ProgressSample[]>([]);
  useEffect(() => {
    setAll((before) => addSample(before, { at: Date.now(), done: current }));
  }, [current]);
  return secondsLeft(all, total);
}

export const personName = ({ firstName = "", lastName = "" }: Job["runBy"] = {}) => `${firstName} ${lastName}`.trim();
