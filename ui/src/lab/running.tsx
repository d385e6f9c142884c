/** The run that was begun at the desk: how far it is, a way to end it, and its report when it is there. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import type { Running as Run } from "../api/octavo.ts";
import { Button } from "../parts/button.tsx";
import { Trouble } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useFormats } from "../words/index.tsx";
import { reports } from "./reports.ts";
import { running, stop, underWay } from "./runs.ts";
import { Start } from "./start.tsx";
import { useLabWords } from "./words/index.tsx";

export function Running() {
  const now = useQuery(running).data;
  useEnd(now);
  return (
    <section className="running">
      <Start isDisabled={underWay(now)} />
      {now && now.state !== "none" && <Told now={now} />}
    </section>
  );
}

/** When a run that was seen under way has ended, its report is in the list. */
function useEnd(now: Run | undefined) {
  const words = useLabWords().running;
  const client = useQueryClient();
  const was = useRef(false);
  const is = underWay(now);
  const state = now?.state;
  useEffect(() => {
    if (was.current && !is && (state === "done" || state === "failed")) {
      announce(words[state]);
      void client.invalidateQueries({ queryKey: reports.queryKey, exact: true });
    }
    was.current = is;
  }, [is, state, words, client]);
}

function Told({ now: { state, run, lines = [], report } }: { now: Run }) {
  const words = useLabWords().running;
  const formats = useFormats();
  const client = useQueryClient();
  const stopping = useMutation({
    mutationFn: stop,
    onSuccess: () => client.invalidateQueries({ queryKey: running.queryKey }),
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
        {stopping.error && <Trouble error={stopping.error} />}
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
