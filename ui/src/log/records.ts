/** The records of the circulation log, the newest of those that are wanted. */

import { useQuery } from "@tanstack/react-query";
import { is } from "../api/cql.ts";
import { ask } from "../api/http.ts";
import { list } from "../api/list.ts";
import type { LogRecordCollection } from "../api/octavo.ts";
import { useFormats } from "../words/index.tsx";
import { type Asked, query } from "./asked.ts";

export type LogRecord = LogRecordCollection["logRecords"][number];

/** Nobody reads more; whoever has more narrows the list. */
export const MOST = 1_000;

/** The id of the patron who has a barcode. */
async function patronOf(barcode: string): Promise<string | undefined> {
  if (barcode === "") return undefined;
  try {
    return (await list("/users", { query: is("barcode", barcode), limit: 1 })).users[0]?.id;
  } catch {
    // Who may not look for patrons finds the records that have the barcode.
    return undefined;
  }
}

export function useRecords(wanted: Asked) {
  const { timeZone } = useFormats();
  return useQuery({
    queryKey: ["circulation-log", wanted],
    queryFn: async ({ signal }) => {
      const asked = { query: query(wanted, await patronOf(wanted.patron), timeZone), limit: MOST };
      return ask<LogRecordCollection>("/audit-data/circulation/logs", { query: asked, signal });
    },
  });
}
