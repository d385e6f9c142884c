/** The filters of the circulation log. */

import { useQuery } from "@tanstack/react-query";
import { servicePoints } from "../api/library.ts";
import { Choice } from "../parts/choice.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { TextFilter } from "../parts/text-filter.tsx";
import { CHOICES, DAYS, FILTERS, type LogFilters, TEXTS } from "./asked.ts";
import { useLogWords } from "./words/index.tsx";

const ANY = "any";

export function Filters({ asked }: { asked: LogFilters }) {
  const own = useLogWords();
  const [, set] = useAddress();
  const named = (names: Record<string, string>) =>
    Object.entries(names)
      .map(([id, name]) => ({ id, name }))
      .sort((one, other) => one.name.localeCompare(other.name));
  const options = {
    object: named(own.objects),
    action: named(own.actions),
    at: useQuery(servicePoints).data ?? [],
  };
  return (
    <section className="list-filters" aria-label={own.filters.title}>
      {TEXTS.map((name) => (
        <TextFilter
          key={name}
          label={own.filters[name]}
          value={asked[name]}
          onChange={(text) => set({ [name]: text })}
        />
      ))}
      {CHOICES.map((name) => (
        <Choice
          key={name}
          className="inline"
          label={own.columns[name]}
          options={[{ id: ANY, name: own.filters.any }, ...options[name]]}
          value={asked[name] || ANY}
          onChange={(id) => set({ [name]: id === ANY ? undefined : id })}
        />
      ))}
      {DAYS.map((name) => (
        <label className="list-days" key={name}>
          {own.filters[name]}
          <input type="date" value={asked[name]} onChange={(event) => set({ [name]: event.target.value })} />
        </label>
      ))}
      {FILTERS.some((name) => asked[name] !== "") && (
        <button
          type="button"
          className="button quiet"
          onClick={() => set(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
        >
          {own.filters.clear}
        </button>
      )}
    </section>
  );
}
