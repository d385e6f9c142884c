/** Runs that are begun at the desk: what may be asked for, and the one that is under way. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import { list } from "../api/list.ts";
import type { Running, WantedRun } from "../api/octavo.ts";

/** The permissions for starting runs: listing experiments, starting, following, stopping. */
export const MAY_RUN = [
  "octavo.lab.experiments.collection.get",
  "octavo.lab.runs.item.post",
  "octavo.lab.running.item.get",
  "octavo.lab.running.item.delete",
] as const;

export const offers = queryOptions({
  queryKey: ["lab-offers"],
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  queryFn: () => list("/octavo/lab/experiments", {}),
});

export const underWay = (running: Running | undefined) => running?.state === "running" || running?.state === "stopping";

export const running = queryOptions({
  queryKey: ["lab-running"],
  retry: false,
  refetchInterval: ({ state }) => (underWay(state.data) ? 1000 : false),
  queryFn: () => list("/octavo/lab/running", {}),
});

export const begin = (asked: WantedRun) => ask<Running>("/octavo/lab/runs", { method: "POST", body: asked });

export const stop = () => ask<undefined>("/octavo/lab/running", { method: "DELETE" });
