/** A title's copies by holdings: narrowed, leafed through, and ticked to be moved or to get labels. */

import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { holdings, items, loansOf, locations } from "../../api/inventory.ts";
import { useAddress } from "../../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../../parts/states.tsx";
import { useWords } from "../../words/index.tsx";
import { boundIn } from "../linked/volume.ts";
import { useRecordWords } from "../words/records.tsx";
import { Chosen } from "./chosen.tsx";
import { HoldingsGroup, placesIn } from "./holdings-group.tsx";
import { Narrowing, Turning } from "./narrow.tsx";
import { grouped, LINES, narrowed, pagesOf } from "./narrowing.ts";

/** What fits on a screen needs no narrowing. */
const FEW = 12;

export interface Ticks {
  items: ReadonlySet<string>;
  shelves: ReadonlySet<string>;
}

const NONE: Ticks = { items: new Set(), shelves: new Set() };

interface Props {
  instanceId: string;
  title: string;
  /** Something of it is bound with other titles. */
  isBound: boolean;
}

export function Copies({ instanceId, title, isBound }: Props) {
  const words = useWords();
  const own = useRecordWords();
  const [get] = useAddress();
  const copies = useQuery(items(instanceId));
  const shelves = useQuery(holdings(instanceId));
  const places = useQuery(locations).data;
  const [ticks, setTicks] = useState(NONE);
  const [last, setLast] = useState("");
  const lastTick = useRef<Element>(null);
  const shelfIds = useMemo(() => shelves.data?.map(({ id }) => id) ?? [], [shelves.data]);
  const bound = useQuery({ ...boundIn(instanceId, shelfIds), enabled: isBound && shelfIds.length > 0 }).data;
  const all = useMemo(() => {
    const names = new Map(places?.map(({ id, name }) => [id, name]));
    return grouped(shelves.data ?? [], copies.data ?? [], (id) => names.get(id) ?? "");
  }, [places, shelves.data, copies.data]);
  const wanted = { words: get("copies"), location: get("location"), status: get("status") };
  const found = narrowed(all, wanted);
  const pages = pagesOf(found);
  const page = Math.min(Math.max(1, Math.floor(Number(get("page"))) || 1), pages.length);
  const shown = pages[page - 1] ?? [];
  const out = shown.flatMap((group) => group.items).filter(({ status }) => status.name === "Checked out");
  const loans = useQuery(
    loansOf(
      instanceId,
      out.map(({ id }) => id),
    ),
  ).data;
  if (copies.isPending || shelves.isPending) return <Loading />;
  if (copies.error) return <Trouble error={copies.error} retry={() => void copies.refetch()} />;
  if (shelves.error) return <Trouble error={shelves.error} retry={() => void shelves.refetch()} />;
  if (shelves.data.length === 0) return <Empty>{words.inventory.noHoldings}</Empty>;
  const lines = copies.data.length + shelves.data.length;
  const counted = found.reduce((sum, group) => sum + group.items.length, 0);
  const clear = () => {
    setTicks(NONE);
    // The bar goes, and the focus would go with it.
    if (lastTick.current instanceof HTMLElement) lastTick.current.focus();
  };
  const bar = (
    <Chosen
      instanceId={instanceId}
      items={copies.data.filter(({ id }) => ticks.items.has(id))}
      shelves={all.filter(({ shelf }) => ticks.shelves.has(shelf.id))}
      all={all}
      onClear={clear}
    />
  );
  const barPlaces = shown.flatMap(placesIn);
  return (
    <div className="copies-of-title">
      {lines > FEW && (
        <Narrowing items={copies.data} groups={all} said={own.table.found(counted, copies.data.length, found.length)} />
      )}
      {!barPlaces.includes(last) && bar}
      {found.length === 0 && <Empty>{own.table.none}</Empty>}
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
      {lines > LINES && pages.length > 1 && <Turning page={page} last={pages.length} />}
    </div>
  );
}
