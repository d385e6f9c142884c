/** The items of a title by holdings: filtered, paged, and ticked to be moved or to print labels. */

import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { holdings, items, loansOfItems, locations } from "../../api/inventory.ts";
import { useAddress } from "../../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading, ReloadError } from "../../parts/states.tsx";
import { useWords } from "../../words/index.tsx";
import { boundItems } from "../linked/volume.ts";
import { useRecordWords } from "../words/records.tsx";
import { TickedActions } from "./chosen.tsx";
import { HoldingsGroup, tickPlaces } from "./holdings-group.tsx";
import { CopyFilters, CopyPager } from "./narrow.tsx";
import { filterCopies, groupByHoldings, LINES_PER_PAGE, splitIntoPages } from "./narrowing.ts";

/** Lists of at most so many lines fit on a screen and get no filters. */
const MAX_LINES_WITHOUT_FILTERS = 12;

export interface Ticks {
  items: ReadonlySet<string>;
  shelves: ReadonlySet<string>;
}

const NO_TICKS: Ticks = { items: new Set(), shelves: new Set() };

interface Props {
  instanceId: string;
  title: string;
  /** Whether an item of the title is bound with other titles. */
  isBound: boolean;
}

export function Copies({ instanceId, title, isBound }: Props) {
  const words = useWords();
  const own = useRecordWords();
  const [get] = useAddress();
  const copies = useQuery(items(instanceId));
  const shelves = useQuery(holdings(instanceId));
  const places = useQuery(locations).data;
  const [ticks, setTicks] = useState(NO_TICKS);
  const [last, setLast] = useState("");
  const lastTick = useRef<Element>(null);
  const shelfIds = useMemo(() => shelves.data?.map(({ id }) => id) ?? [], [shelves.data]);
  const bound = useQuery({ ...boundItems(instanceId, shelfIds), enabled: isBound && shelfIds.length > 0 }).data;
  const all = useMemo(() => {
    const names = new Map(places?.map(({ id, name }) => [id, name]));
    return groupByHoldings(shelves.data ?? [], copies.data ?? [], (id) => names.get(id) ?? "");
  }, [places, shelves.data, copies.data]);
  const wanted = { words: get("copies"), location: get("location"), status: get("status") };
  const found = filterCopies(all, wanted);
  const pages = splitIntoPages(found);
  const page = Math.min(Math.max(1, Math.floor(Number(get("page"))) || 1), pages.length);
  const shown = pages[page - 1] ?? [];
  const out = shown.flatMap((group) => group.items).filter(({ status }) => status.name === "Checked out");
  const loans = useQuery(
    loansOfItems(
      instanceId,
      out.map(({ id }) => id),
    ),
  ).data;
  if (copies.isPending || shelves.isPending) return <Loading />;
  if (copies.isLoadingError) return <ErrorMessage error={copies.error} retry={() => void copies.refetch()} />;
  if (shelves.isLoadingError) return <ErrorMessage error={shelves.error} retry={() => void shelves.refetch()} />;
  if (shelves.data.length === 0) return <EmptyMessage>{words.inventory.noHoldings}</EmptyMessage>;
  const lines = copies.data.length + shelves.data.length;
  const counted = found.reduce((sum, group) => sum + group.items.length, 0);
  const clear = () => {
    setTicks(NO_TICKS);
    // The bar of actions disappears, so the focus returns to the last tick.
    if (lastTick.current instanceof HTMLElement) lastTick.current.focus();
  };
  const bar = (
    <TickedActions
      instanceId={instanceId}
      items={copies.data.filter(({ id }) => ticks.items.has(id))}
      shelves={all.filter(({ shelf }) => ticks.shelves.has(shelf.id))}
      all={all}
      onClear={clear}
    />
  );
  const barPlaces = shown.flatMap(tickPlaces);
  return (
    <div className="copies-of-title">
      <ReloadError asked={copies} />
      <ReloadError asked={shelves} />
      {lines > MAX_LINES_WITHOUT_FILTERS && (
        <CopyFilters
          items={copies.data}
          groups={all}
          resultText={own.table.found(counted, copies.data.length, found.length)}
        />
      )}
      {!barPlaces.includes(last) && bar}
      {found.length === 0 && <EmptyMessage>{own.table.none}</EmptyMessage>}
      {shown.map((group) => (
        <HoldingsGroup
          key={`${group.shelf.id} ${group.goesOn}`}
          group={group}
          loans={loans}
          instanceId={instanceId}
          title={title}
          bound={bound?.get(group.shelf.id)}
          ticks={ticks}
          onTick={(changed, place) => {
            setTicks(changed);
            setLast(place);
            lastTick.current = document.activeElement;
          }}
          barAt={(place) => place === last && bar}
        />
      ))}
      {lines > LINES_PER_PAGE && pages.length > 1 && <CopyPager page={page} last={pages.length} />}
    </div>
  );
}
