/** Holdings of a title, and their items one a line. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import type { Item } from "../../api/inventory.ts";
import { CHOICES } from "../../api/inventory-lists.ts";
import type { Loan } from "../../api/records.ts";
import { NEEDS as MARC } from "../../marc/needs.ts";
import { editorOf, plainOf } from "../../marc/ways.ts";
import { CallNumber } from "../../parts/code.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import { Hidden } from "../hidden.tsx";
import { ItemActions } from "../item-actions.tsx";
import { partsOf } from "../linked/volume.ts";
import { More } from "../more.tsx";
import { Delete, MAY_DELETE } from "../removing/delete.tsx";
import { useLinkedWords } from "../words/linked.tsx";
import { useRecordWords } from "../words/records.tsx";
import type { Ticks } from "./copies.tsx";
import { callNumberOf, type Group } from "./narrowing.ts";
import { TickOf } from "./tick-of.tsx";

interface Props {
  group: Group;
  loans: ReadonlyMap<string, Loan> | undefined;
  instanceId: string;
  title: string;
  /** Volumes of other titles that hold this one, too. */
  bound: readonly Item[] | undefined;
  ticks: Ticks;
  /** Also says where it was ticked. */
  onTick: (ticks: Ticks, place: string) => void;
  /** What is done with what is ticked, if it was ticked last at this place: by keyboard it comes next. */
  barAt: (place: string) => ReactNode;
}

const allOf = ({ shelf }: Group) => `all ${shelf.id}`;

/** Where something can be ticked. */
export const placesIn = (group: Group): string[] => [group.shelf.id, allOf(group), ...group.items.map(({ id }) => id)];

export function HoldingsGroup({ group, loans, instanceId, title, bound = [], ticks, onTick, barAt }: Props) {
  const own = useRecordWords();
  const { shelf, place, items } = group;
  const tick = (kind: keyof Ticks, ids: readonly string[], on: boolean, place: string) => {
    const others = new Set(ticks[kind]);
    for (const id of ids) on ? others.add(id) : others.delete(id);
    onTick({ ...ticks, [kind]: others }, place);
  };
  const ids = items.map(({ id }) => id);
  return (
    <section className="holdings-group">
      <div className="tools">
        <TickOf
          label={own.table.tickShelf(place, callNumberOf(shelf))}
          isOn={ticks.shelves.has(shelf.id)}
          onChange={(on) => tick("shelves", [shelf.id], on, shelf.id)}
        />
        {barAt(shelf.id)}
        <h2>
          {place || "\u00a0"}{" "}
          <small>
            <CallNumber>{callNumberOf(shelf)}</CallNumber>
          </small>
        </h2>
        {group.goesOn && <p className="fact">{own.table.goesOn}</p>}
        <ShelfLinks group={group} instanceId={instanceId} />
      </div>
      <ShelfFacts group={group} />
      {items.length > 1 && (
        <TickOf
          label={own.table.tickAll(items.length)}
          isShown
          isOn={ids.every((id) => ticks.items.has(id))}
          onChange={(on) => tick("items", ids, on, allOf(group))}
        />
      )}
      {barAt(allOf(group))}
      <ul className="rows dense">
        {items.map((item) => (
          <Copy
            key={item.id}
            item={item}
            due={loans?.get(item.id)}
            instanceId={instanceId}
            title={title}
            isTicked={ticks.items.has(item.id)}
            onTick={(on) => tick("items", [item.id], on, item.id)}
            bar={barAt(item.id)}
          />
        ))}
        {!group.goesOn && bound.map((item) => <BoundCopy key={item.id} item={item} />)}
      </ul>
    </section>
  );
}

function ShelfLinks({ group: { shelf, place }, instanceId }: { group: Group; instanceId: string }) {
  const own = useRecordWords();
  const linked = useLinkedWords();
  const may = useMay();
  const [, navigate] = useLocation();
  const [deletes, setDeletes] = useState(false);
  const sources = useQuery(CHOICES["/holdings-sources"]).data;
  const isMarc = sources?.find(({ id }) => id === shelf.sourceId)?.name === "MARC";
  const to = `/inventory/${instanceId}/holdings/${shelf.id}`;
  return (
    <div className="buttons">
      {may("inventory-storage.holdings.item.put") && (
        <Link className="button quiet" href={`${to}/edit`} aria-label={`${own.editHoldings}: ${place}`}>
          {own.editHoldings}
        </Link>
      )}
      {may("inventory.items.item.post") && (
        <Link className="button quiet" href={`${to}/items/new`} aria-label={`${own.newItems}: ${place}`}>
          {own.newItems}
        </Link>
      )}
      <More
        isQuiet
        of={place}
        choices={[
          isMarc &&
            may(MARC.change) && { name: linked.marc.edit, does: () => navigate(editorOf("HOLDINGS", shelf.id)) },
          isMarc && may(MARC.plain) && { name: linked.marc.view, does: () => navigate(plainOf("HOLDINGS", shelf.id)) },
          may("inventory-storage.holdings.item.post") && {
            name: linked.duplicate,
            does: () => navigate(`/inventory/${instanceId}/holdings/new?from=${shelf.id}`),
          },
          may(MAY_DELETE.holdings) && { name: linked.remove.button, does: () => setDeletes(true) },
        ]}
      />
      {deletes && (
        <Delete
          kind="holdings"
          id={shelf.id}
          name={[place, callNumberOf(shelf)].filter(Boolean).join(" ")}
          next={`/inventory/${instanceId}`}
          onClose={() => setDeletes(false)}
        />
      )}
    </div>
  );
}

function ShelfFacts({ group: { shelf, goesOn } }: { group: Group }) {
  if (goesOn) return null;
  const statements = shelf.holdingsStatements?.map(({ statement }) => statement) ?? [];
  const notes = shelf.notes?.map(({ note }) => note) ?? [];
  return (
    <>
      <Hidden from={shelf} />
      {[...new Set([...statements, ...notes])].filter(Boolean).map((text) => (
        <p key={text} className="fact">
          {text}
        </p>
      ))}
    </>
  );
}

interface CopyProps {
  item: Item;
  due: Loan | undefined;
  instanceId: string;
  title: string;
  isTicked: boolean;
  onTick: (on: boolean) => void;
  bar: ReactNode;
}

function Copy({ item, due, instanceId, title, isTicked, onTick, bar }: CopyProps) {
  const words = useWords();
  const own = useRecordWords();
  const linked = useLinkedWords().boundWith;
  const formats = useFormats();
  const status = item.status.name;
  const barcode = item.barcode ?? words.inventory.noBarcode;
  const loanType = (item.temporaryLoanType ?? item.permanentLoanType)?.name;
  const { volume, enumeration, chronology } = item;
  const others = partsOf(item).filter(({ holdingsId }) => holdingsId !== item.holdingsRecordId);
  const boundWith = others.length > 0 && linked.with(others.map((part) => part.title).join("; "));
  return (
    <li className="row">
      <TickOf label={own.table.tickItem(barcode)} isOn={isTicked} onChange={onTick} />
      {bar}
      <div className="what">
        <Link className="code" href={`/inventory/${instanceId}/items/${item.id}`}>
          {barcode}
        </Link>
        <small>
          {[volume, enumeration, chronology, item.copyNumber && words.inventory.copy(item.copyNumber)]
            .concat(item.itemLevelCallNumber, item.materialType?.name, loanType, item.temporaryLocation?.name)
            .concat(boundWith || [])
            .filter(Boolean)
            .join(" · ")}
        </small>
      </div>
      <p className={status === "Available" ? "due quiet good" : "due quiet"}>
        {words.statuses[status] ?? status}
        {due && (
          <>
            {" · "}
            <Link href={`/patrons/${due.userId}`}>{words.checkOut.due(formats.due(due.dueDate))}</Link>
          </>
        )}
      </p>
      <ItemActions item={item} instanceId={instanceId} title={title} />
    </li>
  );
}

/** A volume that stands at another title's holdings. */
function BoundCopy({ item }: { item: Item }) {
  const words = useWords();
  const own = useLinkedWords().boundWith;
  const [main] = partsOf(item);
  const status = item.status.name;
  return (
    <li className="row bound">
      <div className="what">
        <Link className="code" href={`/inventory/${main?.instanceId}/items/${item.id}`}>
          {item.barcode ?? words.inventory.noBarcode}
        </Link>
        <small>{own.in(main?.title ?? "")}</small>
      </div>
      <p className={status === "Available" ? "due quiet good" : "due quiet"}>{words.statuses[status] ?? status}</p>
    </li>
  );
}
