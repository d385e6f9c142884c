/** The reports of the laboratory, in the form of `octavo lab run`. Times are in milliseconds. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import { list } from "../api/list.ts";
import type { Report, Summary } from "../api/octavo.ts";

export const reports = queryOptions({
  queryKey: ["lab"],
  retry: false,
  queryFn: async () => (await list("/octavo/lab/runs", {})).runs,
});

export const report = (name: string) =>
  queryOptions({
    queryKey: ["lab", name],
    enabled: name !== "",
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => ask<Report>(`/octavo/lab/runs/${encodeURIComponent(name)}`),
  });

export const failed = ({ errors }: Summary) => Object.values(errors).reduce((sum, count) => sum + count, 0);
