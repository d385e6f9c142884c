/** Filters the items of a title by words, location and status, and pages through them. The address keeps both. */

import type { Item } from "../../api/inventory.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { SearchLine, useAddress } from "../../parts/search-line.tsx";
import { useWords } from "../../words/index.tsx";
import { useRecordWords } from "../words/records.tsx";
import { type HoldingsCopies, holdingsLocationId } from "./narrowing.ts";

const ALL = "-";

interface Props {
  items: readonly Item[];
  groups: readonly HoldingsCopies[];
  resultText: string;
}

export function CopyFilters({ items, groups, resultText }: Props) {
  const words = useWords();
  const own = useRecordWords().table;
  const [get, set] = useAddress();
  const places = new Map([
    ...groups.map(({ shelf, place }) => [holdingsLocationId(shelf), place] as const),
    ...items.map(({ effectiveLocation }) => [effectiveLocation?.id ?? "", effectiveLocation?.name ?? ""] as const),
  ]);
  const statuses = new Map(items.map(({ status }) => [status.name, words.statuses[status.name] ?? status.name]));
  const choice = (name: "location" | "status", label: string, all: string, values: ReadonlyMap<string, string>) => (
    <Choice
      label={label}
      hideLabel
      options={[{ id: ALL, name: all }, ...optionsOf(values)]}
      value={get(name) || ALL}
      onChange={(id) => set({ [name]: id === ALL ? undefined : id, page: undefined })}
    />
  );
  return (
    <div className="narrowing">
      <SearchLine
        label={own.words}
        name="copies"
        isMain={false}
        behind={
          <>
            {choice("location", own.location, own.allLocations, places)}
            {choice("status", own.status, own.allStatuses, statuses)}
          </>
        }
      />
      <p role="status">{resultText}</p>
    </div>
  );
}

function optionsOf(values: ReadonlyMap<string, string>): { id: string; name: string }[] {
  const options = [...values].filter(([id]) => id !== "").map(([id, name]) => ({ id, name }));
  return options.sort((one, other) => one.name.localeCompare(other.name));
}

export function CopyPager({ page, last }: { page: number; last: number }) {
  const words = useWords();
  const [, set] = useAddress();
  return (
    <div className="pager">
      <Button isDisabled={page <= 1} onPress={() => set({ page: page > 2 ? String(page - 1) : undefined })}>
        {words.list.previous}
      </Button>
      <span>{words.list.page(page, last)}</span>
      <Button isDisabled={page >= last} onPress={() => set({ page: String(page + 1) })}>
        {words.list.next}
      </Button>
    </div>
  );
}
