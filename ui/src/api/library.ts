/** What hardly changes while somebody works: asked for once, then remembered. */

import { queryOptions } from "@tanstack/react-query";
import { all, is } from "./cql.ts";
import { ask } from "./http.ts";
import { list } from "./list.ts";

const HOUR = 3_600_000;
/** More than any library has of what is listed whole. */
const ALL = 2000;

interface Locale {
  locale?: string;
  timezone?: string;
  currency?: string;
}

export const libraryLocale = queryOptions({
  queryKey: ["locale"],
  staleTime: HOUR,
  enabled: false,
  queryFn: async (): Promise<Locale> => {
    const query = all(is("module", "ORG"), is("configName", "localeSettings"));
    const { configs } = await list("/configurations/entries", { query });
    return JSON.parse(configs[0]?.value ?? "{}") as Locale;
  },
});

export const patronGroups = queryOptions({
  queryKey: ["groups"],
  staleTime: HOUR,
  queryFn: () => list("/groups", { limit: ALL }).then((all) => all.usergroups),
});

export const servicePoints = queryOptions({
  queryKey: ["service-points"],
  staleTime: HOUR,
  queryFn: () =>
    list("/service-points", { limit: ALL, query: "cql.allRecords=1 sortBy name" }).then((all) => all.servicepoints),
});

export const tenants = queryOptions({
  queryKey: ["tenants"],
  staleTime: HOUR,
  retry: false,
  // Open to everybody on the server's own machine only; elsewhere people type their library's name once.
  queryFn: () =>
    ask<{ id: string; name?: string; description?: string }[]>("/_/proxy/tenants").then(
      (all) => all.filter(({ id }) => id !== "supertenant"),
      () => [],
    ),
});
