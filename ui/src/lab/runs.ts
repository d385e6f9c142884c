/** Runs that are begun at the desk: what may be asked for, and the one that is under way. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "../api/http.ts";

/** The permissions for starting runs: listing experiments, starting, following, stopping. */
export const MAY_RUN = [
  "octavo.lab.experiments.collection.get",
  "octavo.lab.runs.item.post",
  "octavo.lab.running.item.get",
  "octavo.lab.running.item.delete",
] as const;

interface Bounds {
  least: number;
  most: number;
}

export interface Offers {
  experiments: { name: string; about: string; tests: number; shortSeconds: number }[];
  /** The first is the server that answers. */
  servers: string[];
  seconds: Bounds;
  users: Bounds;
}

export interface Asked {
  experiment: string;
  server?: string | undefined;
  tenant: string;
  seconds?: number | undefined;
  users?: number | undefined;
  username: string;
  password: string;
}

export interface Running {
  state: "none" | "running" | "stopping" | "done" | "failed";
  run?: { experiment: string; server: string; tenant: string; started: string };
  lines?: string[];
  report?: string | null;
}

export const offers = queryOptions({
  queryKey: ["lab-offers"],
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  queryFn: () => ask<Offers>("/octavo/lab/experiments"),
});

export const underWay = (running: Running | undefined) => running?.state === "running" || running?.state === "stopping";

export const running = queryOptions({
  queryKey: ["lab-running"],
  retry: false,
  refetchInterval: ({ state }) => (underWay(state.data) ? 1000 : false),
  queryFn: () => ask<Running>("/octavo/lab/running"),
});

export const begin = (asked: Asked) => ask<Running>("/octavo/lab/runs", { method: "POST", body: asked });

export const stop = () => ask<undefined>("/octavo/lab/running", { method: "DELETE" });
