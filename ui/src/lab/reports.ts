/** The reports of the laboratory, in the form of `octavo lab run`. Times are in milliseconds. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "../api/http.ts";

export interface Report {
  experiment: string;
  about: string;
  started: string;
  server: string;
  tenant: string;
  version: string;
  machine: string;
  interrupted?: boolean;
  runs: Run[];
}

export interface Run {
  test: string;
  users: number;
  rate: number | null;
  seconds: number;
  /** Seconds between the points of the lines. */
  step: number;
  transactions: Summary[];
  calls: Summary[];
  generator?: { spoilt: string[] };
}

/** One call or transaction. */
export interface Summary {
  name: string;
  count: number;
  per_second: number;
  average: number;
  p50: number;
  p95: number;
  p99: number;
  max: number;
  refused: Record<string, number>;
  errors: Record<string, number>;
  line: { average: number | null; p95: number | null }[];
}

/** A report in the list: without its figures. */
type Head = Omit<Report, "runs" | "machine"> & { runs: Pick<Run, "test" | "users" | "rate" | "seconds">[] };

export const reports = queryOptions({
  queryKey: ["lab"],
  retry: false,
  queryFn: async () => (await ask<{ runs: { name: string; report: Head }[] }>("/octavo/lab/runs")).runs,
});

export const report = (name: string) =>
  queryOptions({
    queryKey: ["lab", name],
    enabled: name !== "",
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => ask<Report>(`/octavo/lab/runs/${encodeURIComponent(name)}`),
  });

export const failed = ({ errors }: Summary) => Object.values(errors).reduce((sum, count) => sum + count, 0);
