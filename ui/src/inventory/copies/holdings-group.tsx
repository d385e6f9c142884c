/** A set of holdings of a title, with one line for each item. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import type { Item } from "../../api/inventory.ts";
import { CHOICE_LISTS } from "../../api/inventory-lists.ts";
import type { Loan } from "../../api/records.ts";
import { NEEDS as MARC } from "../../marc/needs.ts";
import { editorPath, marcViewPath } from "../../marc/ways.ts";
import { CallNumber } from "../../parts/code.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import { SuppressionMarks } from "../hidden.tsx";
import { ItemActions } from "../item-actions.tsx";
import { boundTitles } from "../linked/volume.ts";
import { MoreMenu } from "../more.tsx";
import { DELETE_PERMISSIONS, DeleteDialog } from "../removing/delete.tsx";
import { useLinkedWords } from "../words/linked.tsx";
import { useRecordWords } from "../words/records.tsx";
import type { Ticks } from "./copies.tsx";
import { type HoldingsCopies, holdingsCallNumber } from "./narrowing.ts";
import { LineCheckbox } from "./tick-of.tsx";

interface Props {
  group: HoldingsCopies;
  loans: ReadonlyMap<string, Loan> | undefined;
  instanceId: string;
  title: string;
  /** Items of other titles' holdings that also contain this title (bound-with). */
  bound: readonly Item[] | undefined;
  ticks: Ticks;
  /** `place` says where the tick was changed. */
  onTick: (ticks: Ticks, place: string) => void;
  /** The bar of actions, if the last tick was at this place: so it comes next by keyboard. */
  barAt: (place: string) => ReactNode;
}

const tickAllPlace = ({ shelf }: HoldingsCopies) => `all ${shelf.id}`;

/** The places of a set of holdings where something can be ticked. */
export const tickPlaces = (group: HoldingsCopies): string[] => [
  group.shelf.id,
  tickAllPlace(group),
  ...group.items.map(({ id }) => id),
];

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
        <LineCheckbox
          label={own.table.tickShelf(place, holdingsCallNumber(shelf))}
          isOn={ticks.shelves.has(shelf.id)}
          onChange={(on) => tick("shelves", [shelf.id], on, shelf.id)}
        />
        {barAt(shelf.id)}
        <h2>
          {place || "\u00a0"}{" "}
          <small>
            <CallNumber>{holdingsCallNumber(shelf)}</CallNumber>
          </small>
        </h2>
        {group.goesOn && <p className="fact">{own.table.goesOn}</p>}
        <HoldingsLinks group={group} instanceId={instanceId} />
      </div>
      <HoldingsFacts group={group} />
      {items.length > 1 && (
        <LineCheckbox
          label={own.table.tickAll(items.length)}
          isShown
          isOn={ids.every((id) => ticks.items.has(id))}
          onChange={(on) => tick("items", ids, on, tickAllPlace(group))}
        />
      )}
      {barAt(tickAllPlace(group))}
      <ul className="rows dense">
        {items.map((item) => (
          <ItemRow
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
        {!group.goesOn && bound.map((item) => <BoundItemRow key={item.id} item={item} />)}
      </ul>
    </section>
  );
}

function HoldingsLinks({ group: { shelf, place }, instanceId }: { group: HoldingsCopies; instanceId: string }) {
  const own = useRecordWords();
  const linked = useLinkedWords();
  const may = useMay();
  const [, navigate] = useLocation();
  const [deletes, setDeletes] = useState(false);
  const sources = useQuery(CHOICE_LISTS["/holdings-sources"]).data;
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
      <MoreMenu
        isQuiet
        subject={place}
        choices={[
          isMarc &&
            may(MARC.change) && { name: linked.marc.edit, onChoose: () => navigate(editorPath("HOLDINGS", shelf.id)) },
          isMarc &&
            may(MARC.plain) && { name: linked.marc.view, onChoose: () => navigate(marcViewPath("HOLDINGS", shelf.id)) },
          may("inventory-storage.holdings.item.post") && {
            name: linked.duplicate,
            onChoose: () => navigate(`/inventory/${instanceId}/holdings/new?from=${shelf.id}`),
          },
          may(DELETE_PERMISSIONS.holdings) && { name: linked.remove.button, onChoose: () => setDeletes(true) },
        ]}
      />
      {deletes && (
        <DeleteDialog
          kind="holdings"
          id={shelf.id}
          name={[place, holdingsCallNumber(shelf)].filter(Boolean).join(" ")}
          next={`/inventory/${instanceId}`}
          onClose={() => setDeletes(false)}
        />
      )}
    </div>
  );
}

function HoldingsFacts({ group: { shelf, goesOn } }: { group: HoldingsCopies }) {
  if (goesOn) return null;
  const statements = shelf.holdingsStatements?.map(({ statement }) => statement) ?? [];
  const notes = shelf.notes?.map(({ note }) => note) ?? [];
  return (
    <>
      <SuppressionMarks record={shelf} />
      {[...new Set([...statements, ...notes])].filter(Boolean).map((text) => (
        <p key={text} className="fact">
          {text}
        </p>
      ))}
    </>
  );
}

interface ItemRowProps {
  item: Item;
  due: Loan | undefined;
  instanceId: string;
  title: string;
  isTicked: boolean;
  onTick: (on: boolean) => void;
  bar: ReactNode;
}

function ItemRow({ item, due, instanceId, title, isTicked, onTick, bar }: ItemRowProps) {
  const words = useWords();
  const own = useRecordWords();
  const linked = useLinkedWords().boundWith;
  const formats = useFormats();
  const status = item.status.name;
  const barcode = item.barcode ?? words.inventory.noBarcode;
  const loanType = (item.temporaryLoanType ?? item.permanentLoanType)?.name;
  const { volume, enumeration, chronology } = item;
  const others = boundTitles(item).filter(({ holdingsId }) => holdingsId !== item.holdingsRecordId);
  const boundWith = others.length > 0 && linked.with(others.map((part) => part.title).join("; "));
  return (
    <li className="row">
      <LineCheckbox label={own.table.tickItem(barcode)} isOn={isTicked} onChange={onTick} />
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

/** An item that is shelved with the holdings of another title. */
function BoundItemRow({ item }: { item: Item }) {
  const words = useWords();
  const own = useLinkedWords().boundWith;
  const [main] = boundTitles(item);
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
