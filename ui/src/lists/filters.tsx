/** The filters above a list. */

import { queryOptions, useQuery } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import { locations } from "../api/inventory.ts";
import { patronGroups, servicePoints } from "../api/library.ts";
import { Choice } from "../parts/choice.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { useWords } from "../words/index.tsx";
import { DATE_FILTERS, type DateFilter, FILTERS, type Filter, type ListFilterValues } from "./asked.ts";
import type { ListKind } from "./kind.ts";
import { useListWords } from "./words/index.tsx";

const ANY = "any";

interface Props {
  kind: ListKind;
  values: ListFilterValues;
}

export function ListFilters({
  kind: { servicePointRole, filters, statuses = [], isOneServicePoint, anyStatus = "any" },
  values,
}: Props) {
  const words = useWords();
  const own = useListWords().filters;
  const [get, set] = useAddress();
  const named = (ids: readonly string[], names: Record<string, string>) =>
    ids.map((id) => ({ id, name: names[id] ?? id }));
  const options: Record<Exclude<Filter, "days" | DateFilter>, { id: string; name: string }[]> = {
    at: useQuery(servicePoints).data ?? [],
    location: useQuery(locations).data ?? [],
    group: (useQuery(patronGroups).data ?? []).map(({ id, group }) => ({ id, name: group })),
    type: named(["Hold", "Recall", "Page"], words.requestTypes),
    status: named(statuses, words.statuses),
    tag: (useQuery({ ...tags, enabled: filters.includes("tag") }).data ?? []).map((label) => ({
      id: label,
      name: label,
    })),
  };
  return (
    <>
      {filters.map((filter) =>
        filter === "days" ? (
          <label className="list-days" key={filter}>
            {own.days}
            <input
              type="number"
              min={0}
              max={9999}
              value={values.days}
              onChange={(event) => set({ days: event.target.value || "0" })}
            />
          </label>
        ) : isDateFilter(filter) ? (
          <DateFilterField
            key={filter}
            label={own[filter]}
            day={values[filter]}
            onChange={(day) => set({ [filter]: day })}
          />
        ) : (
          <Choice
            key={filter}
            className="inline"
            label={filter === "at" ? own.at[servicePointRole] : own[filter]}
            options={[
              ...(filter === "at" && isOneServicePoint
                ? []
                : [{ id: ANY, name: filter === "status" ? own[anyStatus] : own.any }]),
              ...options[filter],
            ]}
            value={values[filter] || ANY}
            onChange={(id) => set({ [filter]: id === ANY ? undefined : id })}
          />
        ),
      )}
      {filters.some((filter) => get(filter) !== "") && (
        <button
          type="button"
          className="button quiet"
          onClick={() => set(Object.fromEntries(FILTERS.map((filter) => [filter, undefined])))}
        >
          {own.clear}
        </button>
      )}
    </>
  );
}

const tags = queryOptions({
  queryKey: ["tags"],
  staleTime: 300_000,
  // Without the permission to read tags, the other filters still work.
  retry: false,
  queryFn: async () => {
    const query = { query: "cql.allRecords=1 sortBy label", limit: 2000 };
    return (await ask<{ tags: { label: string }[] }>("/tags", { query })).tags.map(({ label }) => label);
  },
});

const isDateFilter = (filter: Filter): filter is DateFilter => DATE_FILTERS.some((one) => one === filter);

function DateFilterField({ label, day, onChange }: { label: string; day: string; onChange: (day: string) => void }) {
  return (
    <label className="list-days">
      {label}
      <input type="date" value={day} onChange={(event) => onChange(event.target.value)} />
    </label>
  );
}
