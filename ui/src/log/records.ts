/** Loads records of the circulation log, newest first. */

import { useQuery } from "@tanstack/react-query";
import { equals } from "../api/cql.ts";
import { ask } from "../api/http.ts";
import { list } from "../api/list.ts";
import type { LogRecordCollection } from "../api/octavo.ts";
import { useFormats } from "../words/index.tsx";
import { filtersToCql, type LogFilters } from "./asked.ts";

export type LogRecord = LogRecordCollection["logRecords"][number];

/** At most so many records are shown; filters narrow the list. */
export const MAX_RECORDS = 1_000;

/** The id of the patron who has a barcode. */
async function findPatronId(barcode: string): Promise<string | undefined> {
  if (barcode === "") return undefined;
  try {
    return (await list("/users", { query: equals("barcode", barcode), limit: 1 })).users[0]?.id;
  } catch {
    // Staff who may not search for patrons find only the records with this barcode.
    return undefined;
  }
}

export function useRecords(wanted: LogFilters) {
  const { timeZone } = useFormats();
  return useQuery({
    queryKey: ["circulation-log", wanted],
    queryFn: async ({ signal }) => {
      const asked = { query: filtersToCql(wanted, await findPatronId(wanted.patron), timeZone), limit: MAX_RECORDS };
      return ask<LogRecordCollection>("/audit-data/circulation/logs", { query: asked, signal });
    },
  });
}
