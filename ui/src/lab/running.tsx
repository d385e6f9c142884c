/** The run that was started on this page: its progress, a button to stop it, and a link to its report. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import type { Running as Run } from "../api/octavo.ts";
import { Button } from "../parts/button.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useFormats } from "../words/index.tsx";
import { reportList } from "./reports.ts";
import { currentRun, isUnderWay, stopRun } from "./runs.ts";
import { StartRunButton } from "./start.tsx";
import { useLabWords } from "./words/index.tsx";

export function CurrentRun() {
  const now = useQuery(currentRun).data;
  useAnnounceEnd(now);
  return (
    <section className="running">
      <StartRunButton isDisabled={isUnderWay(now)} />
      {now && now.state !== "none" && <RunStatus now={now} />}
    </section>
  );
}

/** When a run ends while the page is open, this is announced and the list of reports is reloaded. */
function useAnnounceEnd(now: Run | undefined) {
  const words = useLabWords().running;
  const client = useQueryClient();
  const was = useRef(false);
  const is = isUnderWay(now);
  const state = now?.state;
  useEffect(() => {
    if (was.current && !is && (state === "done" || state === "failed")) {
      announce(words[state]);
      void client.invalidateQueries({ queryKey: reportList.queryKey, exact: true });
    }
    was.current = is;
  }, [is, state, words, client]);
}

function RunStatus({ now: { state, run, lines = [], report } }: { now: Run }) {
  const words = useLabWords().running;
  const formats = useFormats();
  const client = useQueryClient();
  const stopping = useMutation({
    mutationFn: stopRun,
    onSuccess: () => client.invalidateQueries({ queryKey: currentRun.queryKey }),
  });
  if (state === "none") return null;
  return (
    <div className={`banner ${state === "failed" ? "bad" : state === "done" ? "good" : "warn"}`}>
      <div className="told">
        <p>
          <strong>{words[state]}</strong>{" "}
          {run && words.what(run.experiment, run.tenant, run.server, formats.moment(run.started))}
        </p>
        <pre>{lines.slice(-6).join("\n")}</pre>
        {stopping.error && <ErrorMessage error={stopping.error} />}
        {report && <Link href={`/lab?run=${encodeURIComponent(report)}`}>{words.open}</Link>}
      </div>
      {(state === "running" || state === "stopping") && (
        <Button isDisabled={state === "stopping" || stopping.isPending} onPress={() => stopping.mutate()}>
          {words.stop}
        </Button>
      )}
    </div>
  );
}
