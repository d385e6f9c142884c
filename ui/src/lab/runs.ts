/** Calls to start, follow and stop a load test run from this page. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import { list } from "../api/list.ts";
import type { Running, WantedRun } from "../api/octavo.ts";

/** The permissions for starting runs: listing experiments, starting, following, stopping. */
export const RUN_PERMISSIONS = [
  "octavo.lab.experiments.collection.get",
  "octavo.lab.runs.item.post",
  "octavo.lab.running.item.get",
  "octavo.lab.running.item.delete",
] as const;

export const runOffers = queryOptions({
  queryKey: ["lab-offers"],
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  queryFn: () => list("/octavo/lab/experiments", {}),
});

export const isUnderWay = (running: Running | undefined) =>
  running?.state === "running" || running?.state === "stopping";

export const currentRun = queryOptions({
  queryKey: ["lab-running"],
  retry: false,
  refetchInterval: ({ state }) => (isUnderWay(state.data) ? 1000 : false),
  queryFn: () => list("/octavo/lab/running", {}),
});

export const startRun = (asked: WantedRun) => ask<Running>("/octavo/lab/runs", { method: "POST", body: asked });

export const stopRun = () => ask<undefined>("/octavo/lab/running", { method: "DELETE" });
