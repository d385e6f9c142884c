/** The lists that records of patrons choose from. */

import { queryOptions } from "@tanstack/react-query";
import { list } from "./list.ts";

const HOUR = 3_600_000;
/** More than any library has of what is listed whole. */
const ALL = 2000;

export const addressTypes = queryOptions({
  queryKey: ["address-types"],
  staleTime: HOUR,
  queryFn: async () =>
    (await list("/addresstypes", { limit: ALL, query: "cql.allRecords=1 sortBy addressType" })).addressTypes,
});

export const departments = queryOptions({
  queryKey: ["departments"],
  staleTime: HOUR,
  queryFn: async () => (await list("/departments", { limit: ALL, query: "cql.allRecords=1 sortBy name" })).departments,
});

export const blockTemplates = queryOptions({
  queryKey: ["manual-block-templates"],
  queryFn: async () =>
    (await list("/manual-block-templates", { limit: ALL, query: "cql.allRecords=1 sortBy name" })).manualBlockTemplates,
});

export const noteTypes = queryOptions({
  queryKey: ["note-types"],
  staleTime: HOUR,
  queryFn: async () => (await list("/note-types", { limit: ALL, query: "cql.allRecords=1 sortBy name" })).noteTypes,
});
