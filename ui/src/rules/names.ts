/** Loads the names of the records that circulation rules refer to by id, with the letter before each. */

import { useQueries } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import type { NamedRecord } from "./named.ts";

const SOURCES: readonly [letter: string, path: string, collection: string, name: string][] = [
  ["m", "/material-types", "mtypes", "name"],
  ["t", "/loan-types", "loantypes", "name"],
  ["g", "/groups", "usergroups", "group"],
  ["s", "/locations", "locations", "name"],
  ["a", "/location-units/institutions", "locinsts", "name"],
  ["b", "/location-units/campuses", "loccamps", "name"],
  ["c", "/location-units/libraries", "loclibs", "name"],
  ["l", "/loan-policy-storage/loan-policies", "loanPolicies", "name"],
  ["r", "/request-policy-storage/request-policies", "requestPolicies", "name"],
  ["n", "/patron-notice-policy-storage/patron-notice-policies", "patronNoticePolicies", "name"],
  ["o", "/overdue-fines-policies", "overdueFinePolicies", "name"],
  ["i", "/lost-item-fees-policies", "lostItemFeePolicies", "name"],
];

/**
 * Undefined until all calls have answered. Records that the user may not read are missing: their ids stay in the text.
 */
export function useNamedRecords(): readonly NamedRecord[] | undefined {
  return useQueries({
    queries: SOURCES.map(([letter, path, collection, name]) => ({
      queryKey: ["names", path],
      staleTime: 300_000,
      queryFn: async () => {
        const answer = await ask<Record<string, Record<string, string>[]>>(path, { query: { limit: 2000 } });
        return (answer[collection] ?? []).map(
          (record): NamedRecord => ({ id: record.id ?? "", name: record[name] ?? "", letter }),
        );
      },
    })),
    combine: (results) =>
      results.some(({ isPending }) => isPending) ? undefined : results.flatMap(({ data = [] }) => data),
  });
}
