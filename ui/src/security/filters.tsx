/** The filters of the security log. */

import { Choice } from "../parts/choice.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { TextFilter } from "../parts/text-filter.tsx";
import { DAYS, FILTERS, type SecurityLogFilters, TEXTS } from "./asked.ts";
import { useSecurityWords } from "./words/index.tsx";

const ANY = "any";

export function Filters({ asked }: { asked: SecurityLogFilters }) {
  const own = useSecurityWords();
  const [, set] = useAddress();
  const events = Object.entries(own.events).map(([id, name]) => ({ id, name }));
  events.sort((one, other) => one.name.localeCompare(other.name));
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
      <Choice
        className="inline"
        label={own.columns.event}
        options={[{ id: ANY, name: own.filters.any }, ...events]}
        value={asked.event || ANY}
        onChange={(id) => set({ event: id === ANY ? undefined : id })}
      />
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
