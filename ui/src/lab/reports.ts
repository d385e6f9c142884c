/** Reports of load tests, as `octavo lab run` writes them. Times are in milliseconds. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import { list } from "../api/list.ts";
import type { Report, Summary } from "../api/octavo.ts";

export const reportList = queryOptions({
  queryKey: ["lab"],
  retry: false,
  queryFn: async () => (await list("/octavo/lab/runs", {})).runs,
});

export const reportByName = (name: string) =>
  queryOptions({
    queryKey: ["lab", name],
    enabled: name !== "",
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => ask<Report>(`/octavo/lab/runs/${encodeURIComponent(name)}`),
  });

export const errorCount = ({ errors }: Summary) => Object.values(errors).reduce((sum, count) => sum + count, 0);
