/** The lists that a patron's record chooses values from. */

import { queryOptions } from "@tanstack/react-query";
import { list } from "./list.ts";

const HOUR_MS = 3_600_000;
/** The page size of lists that are loaded whole; no library has more records in them. */
const MAX_RECORDS = 2000;

export const addressTypes = queryOptions({
  queryKey: ["address-types"],
  staleTime: HOUR_MS,
  queryFn: async () =>
    (await list("/addresstypes", { limit: MAX_RECORDS, query: "cql.allRecords=1 sortBy addressType" })).addressTypes,
});

export const departments = queryOptions({
  queryKey: ["departments"],
  staleTime: HOUR_MS,
  queryFn: async () =>
    (await list("/departments", { limit: MAX_RECORDS, query: "cql.allRecords=1 sortBy name" })).departments,
});

export const blockTemplates = queryOptions({
  queryKey: ["manual-block-templates"],
  queryFn: async () =>
    (await list("/manual-block-templates", { limit: MAX_RECORDS, query: "cql.allRecords=1 sortBy name" }))
      .manualBlockTemplates,
});

export const noteTypes = queryOptions({
  queryKey: ["note-types"],
  staleTime: HOUR_MS,
  queryFn: async () =>
    (await list("/note-types", { limit: MAX_RECORDS, query: "cql.allRecords=1 sortBy name" })).noteTypes,
});
