/** What the ids in the rules are called. */

import { useQueries } from "@tanstack/react-query";
import { ask } from "../api/http.ts";

const SOURCES: readonly [path: string, collection: string, name: string][] = [
  ["/material-types", "mtypes", "name"],
  ["/loan-types", "loantypes", "name"],
  ["/groups", "usergroups", "group"],
  ["/locations", "locations", "name"],
  ["/location-units/institutions", "locinsts", "name"],
  ["/location-units/campuses", "loccamps", "name"],
  ["/location-units/libraries", "loclibs", "name"],
  ["/loan-policy-storage/loan-policies", "loanPolicies", "name"],
  ["/request-policy-storage/request-policies", "requestPolicies", "name"],
  ["/patron-notice-policy-storage/patron-notice-policies", "patronNoticePolicies", "name"],
  ["/overdue-fines-policies", "overdueFinePolicies", "name"],
  ["/lost-item-fees-policies", "lostItemFeePolicies", "name"],
];

export function useNames(): ReadonlyMap<string, string> {
  return useQueries({
    queries: SOURCES.map(([path, collection, name]) => ({
      queryKey: ["names", path],
      staleTime: 300_000,
      queryFn: async () => {
        const answer = await ask<Record<string, Record<string, string>[]>>(path, { query: { limit: 2000 } });
        return (answer[collection] ?? []).map((record) => [record.id ?? "", record[name] ?? ""] as const);
      },
    })),
    combine: (results) => new Map(results.flatMap(({ data = [] }) => data)),
  });
}
