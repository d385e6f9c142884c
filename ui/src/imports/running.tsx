/** The jobs that run: how far each is, how long it will take, and a way to end it. */

import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { cancel, type Job, type Jobs, jobs, parameters } from "../api/imports.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { Empty, Trouble } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { inUnits, RUNNING, type Seen, secondsLeft, seen, share, WAITING } from "./progress.ts";
import { MAY_CANCEL, MAY_READ_LOGS } from "./rights.ts";
import { useImportWords } from "./words/index.tsx";

const OFTEN_MS = 1_500;
const SELDOM_MS = 10_000;

const running = queryOptions<Jobs>({
  queryKey: ["import-jobs", "running"],
  refetchInterval: ({ state }) => (state.data?.jobExecutions.length ? OFTEN_MS : SELDOM_MS),
  queryFn: ({ signal }) =>
    jobs(
      parameters({
        statusAny: RUNNING,
        subordinationTypeNotAny: "COMPOSITE_CHILD",
        sortBy: "started_date,desc",
        limit: 100,
      }),
      signal,
    ),
});

export function Running() {
  const words = useImportWords().running;
  const asked = useQuery(running);
  const all = asked.data?.jobExecutions;
  useEnds(all);
  return (
    <section aria-labelledby="import-running">
      <h2 id="import-running">{words.title}</h2>
      {asked.error && <Trouble error={asked.error} retry={() => void asked.refetch()} />}
      {all?.length === 0 && <Empty>{words.none}</Empty>}
      <ul className="rows">
        {all?.map((job) => (
          <RunningJob key={job.id} job={job} />
        ))}
      </ul>
    </section>
  );
}

/** When one has ended it stands below, and that is said. */
function useEnds(all: readonly Job[] | undefined): void {
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
        <small>{words.by(jobProfileInfo?.name ?? "", nameOf(runBy))}</small>
        <HowFar job={job} />
      </div>
      <div className="actions">
        {may(MAY_READ_LOGS) && (
          <Link className="button quiet" href={`/import/jobs/${id}`}>
            {words.log}
          </Link>
        )}
        {may(MAY_CANCEL) && <Cancel job={job} />}
      </div>
    </li>
  );
}

/** A bar, and how many records are done. */
export function HowFar({ job }: { job: Job }) {
  const words = useImportWords().running;
  const formats = useFormats();
  const { current = 0, total = 0 } = job.progress ?? {};
  const left = useTimeLeft(job);
  const done = share(job);
  const isWaiting = WAITING.includes(job.status);
  return (
    <>
      <progress aria-label={job.fileName ?? ""} max={1} {...(done !== undefined && !isWaiting && { value: done })} />
      <small>
        {isWaiting
          ? words.waiting
          : done === undefined
            ? words.counting
            : words.of(formats.number(current), formats.number(total))}
        {left !== undefined && `, ${words.left(inUnits(left))}`}
      </small>
    </>
  );
}

export function Cancel({ job: { id, fileName = "" } }: { job: Job }) {
  const words = useImportWords().running;
  const client = useQueryClient();
  return (
    <Opens>
      <Button kind="quiet">{words.cancel}</Button>
      <FormDialog
        title={words.cancelTitle(fileName)}
        submit={words.cancelSubmit}
        danger
        onSubmit={async () => {
          await cancel(id);
          announce(words.cancelled(fileName));
          await client.invalidateQueries({ queryKey: ["import-jobs"] });
        }}
      >
        <p>{words.cancelHelp}</p>
      </FormDialog>
    </Opens>
  );
}

/** From what was seen since the page is open. */
function useTimeLeft({ progress }: Job): number | undefined {
  const { current = 0, total = 0 } = progress ?? {};
  const [all, setAll] = useState<readonly Seen[]>([]);
  useEffect(() => {
    setAll((before) => seen(before, { at: Date.now(), done: current }));
  }, [current]);
  return secondsLeft(all, total);
}

export const nameOf = ({ firstName = "", lastName = "" }: Job["runBy"] = {}) => `${firstName} ${lastName}`.trim();
