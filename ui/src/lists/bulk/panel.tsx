/** The progress of the job, which changes were refused and why, and buttons to stop, repeat and undo. */

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/code.tsx";
import { saveCsv } from "../../parts/csv.ts";
import { joinReasons, refusalTexts } from "../../refusals/texts.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import type { ListWords } from "../words/en.ts";
import { useListWords } from "../words/index.tsx";
import { useOwnerKey } from "./dialog.tsx";
import {
  clearJob,
  countOpen,
  isOffline,
  type Job,
  job,
  restoreJob,
  resumeJob,
  retryRefused,
  stopJob,
  undoJob,
} from "./job.ts";

export function JobPanel() {
  const now = job.use();
  const owner = useOwnerKey();
  useEffect(restoreJob, []);
  return now?.owner === owner ? <Panel now={now} /> : null;
}

function Panel({ now }: { now: Job }) {
  const lists = useListWords();
  const own = lists.job;
  const formats = useFormats();
  const offline = isOffline.use();
  const open = countOpen(now);
  const results = useResults(now);
  const refused = results.filter(({ state }) => state === "refused");
  const done = now.entries.length - open - refused.length;
  const isWorking = open > 0 && !now.isStopped;
  const canUndo = now.states.some((state) => state.is === "done" && state.answer.undo);
  useRefreshWhenDone(open);
  useWarnBeforeLeaving(isWorking);
  const says = open === 0 ? own.done : now.isStopped ? own.stopped : own.working;
  return (
    <section className={open === 0 && refused.length === 0 ? "banner good" : "banner"} aria-label={now.title}>
      <div className="bulk-head">
        <p role="status">
          <strong>{says(now.title)}</strong>{" "}
          {own.counts(formats.number(done), formats.number(refused.length), formats.number(open))}
        </p>
        {open > 0 && <progress aria-label={now.title} value={now.entries.length - open} max={now.entries.length} />}
        {isWorking && <Button onPress={stopJob}>{own.stop}</Button>}
        {open > 0 && now.isStopped && (
          <Button kind="primary" onPress={resumeJob}>
            {own.goOn}
          </Button>
        )}
        {open === 0 && now.states.some(({ is }) => is === "refused") && (
          <Button onPress={retryRefused}>{own.again}</Button>
        )}
        {refused.length > 0 && (
          <Button onPress={() => saveCsv(`${own.file}.csv`, resultColumns(lists), refused)}>{own.csv}</Button>
        )}
        {open === 0 && (
          <Button onPress={() => saveCsv(`${own.resultsFile}.csv`, resultColumns(lists), results)}>
            {own.resultsCsv}
          </Button>
        )}
        {canUndo && !isWorking && <Button onPress={() => undoJob(own.undoTitle(now.title))}>{own.undo}</Button>}
        {!isWorking && (
          <Button kind="quiet" onPress={clearJob}>
            {own.close}
          </Button>
        )}
      </div>
      {isWorking && offline && <p role="alert">{own.offline}</p>}
      <ResultList results={results} />
      {refused.length > 0 && (
        <ul className="bulk-lines" aria-label={own.file}>
          {refused.map(({ key, label, barcode, why }) => (
            <li key={key}>
              <strong>{label}</strong> <Code>{barcode}</Code>
              <small className="bad">{why}</small>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const MAX_LINES = 500;

/** The result of each record, one line each; folded until somebody opens it. */
function ResultList({ results }: { results: readonly Result[] }) {
  const own = useListWords().job;
  const [isShown, show] = useState(false);
  return (
    <details onToggle={(event) => show(event.currentTarget.open)}>
      <summary>{own.each}</summary>
      {isShown && (
        <ul className="bulk-lines">
          {results.slice(0, MAX_LINES).map(({ key, label, barcode, state, why }) => (
            <li key={key}>
              {label} <Code>{barcode}</Code>{" "}
              <strong className={state === "refused" ? "bad" : undefined}>{own.results[state]}</strong> {why}
            </li>
          ))}
        </ul>
      )}
      {isShown && results.length > MAX_LINES && <p className="help">{own.more}</p>}
    </details>
  );
}

interface Result {
  key: string;
  label: string;
  barcode: string;
  state: "open" | "done" | "refused";
  why: string;
}

/** The result of each record of the job. */
function useResults(now: Job): Result[] {
  const words = useWords();
  const own = useListWords().job;
  return now.entries.map(({ label, barcode }, index) => {
    const state = now.states[index];
    const result = { key: String(index), label, barcode, why: "" };
    if (state?.is === "changedSince") return { ...result, state: "refused", why: own.changedSince };
    if (state?.is !== "refused") return { ...result, state: state?.is === "done" ? "done" : "open" };
    const why = state.status === 403 ? words.errors.forbidden : joinReasons(refusalTexts(state.refusals, words));
    return { ...result, state: "refused", why };
  });
}

const resultColumns = ({ job: own, columns }: ListWords) =>
  [
    [columns.barcode, ({ barcode }: Result) => barcode],
    [own.what, ({ label }: Result) => label],
    [own.result, ({ state }: Result) => own.results[state]],
    [own.reason, ({ why }: Result) => why],
  ] as const;

/** When the job is done, reloads lists, requests, patrons and titles that the page shows. */
function useRefreshWhenDone(open: number): void {
  const client = useQueryClient();
  useEffect(() => {
    if (open > 0) return;
    for (const key of ["lists", "requests", "patron", "title"]) void client.invalidateQueries({ queryKey: [key] });
  }, [open, client]);
}

function useWarnBeforeLeaving(isWorking: boolean): void {
  useEffect(() => {
    if (!isWorking) return;
    const leaving = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", leaving);
    return () => window.removeEventListener("beforeunload", leaving);
  }, [isWorking]);
}
