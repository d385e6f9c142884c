/** The filters of the list of patrons. The address keeps them. */

import { parseDate, toZoned } from "@internationalized/date";
import { useQuery } from "@tanstack/react-query";
import { patronGroups } from "../api/library.ts";
import type { PatronFilters } from "../api/patron-search.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { CheckboxField } from "../parts/tick.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { usePatronWords } from "./words/index.tsx";

const ANY = "any";
const YES = "yes";
const STATUSES = [ANY, "active", "inactive"] as const;
const FILTER_NAMES = ["group", "status", "expired", "owing", "since"] as const;

/** The filters that are in the address. */
export function usePatronFilters(): PatronFilters {
  const [get] = useAddress();
  const { timeZone } = useFormats();
  const status = get("status");
  return {
    text: get("query"),
    group: get("group"),
    status: status === "active" || status === "inactive" ? status : "",
    expired: get("expired") === YES,
    owing: get("owing") === YES,
    since: startOfDay(get("since"), timeZone),
  };
}

/** The first instant of a day in the library's time zone; empty if the text is not a day. */
function startOfDay(day: string, timeZone: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? toZoned(parseDate(day), timeZone).toAbsoluteString() : "";
}

export function Filters() {
  const words = usePatronWords().filters;
  const may = useMay();
  const [get, set] = useAddress();
  const groups = useQuery(patronGroups).data ?? [];
  const narrow = (change: Partial<Record<(typeof FILTER_NAMES)[number], string | undefined>>) =>
    set({ ...change, page: undefined });
  const isNarrowed = FILTER_NAMES.some((name) => get(name) !== "");
  return (
    <section className="patron-filters" aria-label={words.title}>
      <Choice
        label={words.group}
        options={[{ id: ANY, name: words.anyGroup }, ...groups.map(({ id, group }) => ({ id, name: group }))]}
        value={get("group") || ANY}
        onChange={(id) => narrow({ group: id === ANY ? undefined : id })}
      />
      <Choice
        label={words.status}
        options={STATUSES.map((id) => ({ id, name: words.statuses[id] }))}
        value={STATUSES.find((status) => status === get("status")) ?? ANY}
        onChange={(id) => narrow({ status: id === ANY ? undefined : id })}
      />
      <Field type="date" label={words.since} value={get("since")} onChange={(since) => narrow({ since })} />
      <CheckboxField value={get("expired") === YES} onChange={(on) => narrow({ expired: on ? YES : undefined })}>
        {words.expired}
      </CheckboxField>
      {may("accounts.collection.get") && (
        <CheckboxField value={get("owing") === YES} onChange={(on) => narrow({ owing: on ? YES : undefined })}>
          {words.owing}
        </CheckboxField>
      )}
      {isNarrowed && (
        <Button kind="quiet" onPress={() => narrow(Object.fromEntries(FILTER_NAMES.map((name) => [name, undefined])))}>
          {words.clear}
        </Button>
      )}
    </section>
  );
}
