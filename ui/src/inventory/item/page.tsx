/** The page of an item: where it stands, who has it and who had it, who waits for it, and all that is recorded of it. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import type { Item } from "../../api/inventory.ts";
import { item, requestsOfItem } from "../../api/items.ts";
import { CallNumber } from "../../parts/code.tsx";
import { Empty, Loading, Trouble } from "../../parts/states.tsx";
import { RequestRow } from "../../requests/request-row.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import { ITEM_SECTIONS } from "../editing/item-fields.ts";
import type { Stored } from "../editing/spec.ts";
import { Hidden } from "../hidden.tsx";
import { ItemActions } from "../item-actions.tsx";
import { PrintLabels } from "../labels/dialog.tsx";
import { Bind, BoundWith } from "../linked/bound-with.tsx";
import { MAY_BIND } from "../linked/volume.ts";
import { More } from "../more.tsx";
import { Delete, MAY_DELETE } from "../removing/delete.tsx";
import { useLinkedWords } from "../words/linked.tsx";
import { useRecordWords } from "../words/records.tsx";
import { Facts } from "./facts.tsx";
import { History, LastCheckIn } from "./history.tsx";

export function ItemPage() {
  const { id = "", item: itemId = "" } = useParams();
  const asked = useQuery(item(itemId));
  if (asked.isPending) return <Loading />;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
  return <Shown item={asked.data} instanceId={id} />;
}

function Shown({ item, instanceId }: Props) {
  const words = useWords();
  const own = useRecordWords();
  const may = useMay();
  const title = item.title ?? "";
  return (
    <div className="desk-page item-page">
      <header className="head">
        <div className="what">
          <p>
            <Link href={`/inventory/${instanceId}`}>{title}</Link>
          </p>
          <h1 className="code">{item.barcode ?? words.inventory.noBarcode}</h1>
          <Where item={item} />
          <Hidden from={item} />
        </div>
        <div className="buttons">
          {may("inventory.items.item.put") && (
            <Link className="button" href={`/inventory/${instanceId}/items/${item.id}/edit`}>
              {own.editItem}
            </Link>
          )}
          <PrintLabels items={[item]} />
          <ItemActions item={item} instanceId={instanceId} title={title} />
          <MoreOfItem item={item} instanceId={instanceId} />
        </div>
      </header>
      <BoundWith item={item} />
      <History itemId={item.id} />
      <Waiting itemId={item.id} />
      <section>
        <h2>{own.itemPage.recorded}</h2>
        <Facts record={item as unknown as Stored} sections={ITEM_SECTIONS} />
        <Numbers item={item} />
      </section>
    </div>
  );
}

function MoreOfItem({ item: { id = "", barcode, holdingsRecordId }, item, instanceId }: Props) {
  const own = useLinkedWords();
  const words = useWords();
  const may = useMay();
  const [, navigate] = useLocation();
  const [asks, setAsks] = useState<"bind" | "delete">();
  const close = () => setAsks(undefined);
  const title = `/inventory/${instanceId}`;
  return (
    <>
      <More
        choices={[
          may("inventory.items.item.post") && {
            name: own.duplicate,
            does: () => navigate(`${title}/holdings/${holdingsRecordId}/items/new?from=${id}`),
          },
          may(...MAY_BIND) && { name: own.boundWith.bind, does: () => setAsks("bind") },
          may(MAY_DELETE.item) && { name: own.remove.button, does: () => setAsks("delete") },
        ]}
      />
      {asks === "bind" && <Bind item={item} instanceId={instanceId} onClose={close} />}
      {asks === "delete" && (
        <Delete kind="item" id={id} name={barcode ?? words.inventory.noBarcode} next={title} onClose={close} />
      )}
    </>
  );
}

interface Props {
  item: Item;
  instanceId: string;
}

function Where({ item }: { item: Item }) {
  const words = useWords();
  const own = useRecordWords().itemPage;
  const formats = useFormats();
  const { prefix, callNumber, suffix } = item.effectiveCallNumberComponents ?? {};
  const shelved = [prefix, callNumber, suffix].filter(Boolean).join(" ");
  const { name, date } = item.status;
  return (
    <>
      <p>
        <strong className={name === "Available" ? "good" : ""}>{words.statuses[name] ?? name}</strong>
        {date && ` · ${own.since(formats.moment(date))}`}
      </p>
      <p>
        {item.effectiveLocation?.name}
        {item.effectiveLocation && shelved && " · "}
        <CallNumber>{shelved}</CallNumber>
      </p>
      {item.lastCheckIn && <LastCheckIn {...item.lastCheckIn} />}
    </>
  );
}

function Waiting({ itemId }: { itemId: string }) {
  const words = useWords();
  const may = useMay();
  const mayRead = may("circulation.requests.collection.get");
  const requests = useQuery({ ...requestsOfItem(itemId), enabled: mayRead });
  if (!mayRead) return null;
  if (requests.isPending) return <Loading />;
  if (requests.error) return <Trouble error={requests.error} retry={() => void requests.refetch()} />;
  return (
    <section>
      <h2>{words.inventory.queue}</h2>
      {requests.data.length === 0 && <Empty>{words.inventory.nobodyWaits}</Empty>}
      <ol className="rows">
        {requests.data.map((request) => (
          <RequestRow key={request.id} request={request} forWhom />
        ))}
      </ol>
    </section>
  );
}

/** By which other programs know it. */
function Numbers({ item: { hrid, id, purchaseOrderLineIdentifier, metadata } }: { item: Item }) {
  const own = useRecordWords().itemPage;
  const formats = useFormats();
  const said = [
    hrid,
    id,
    purchaseOrderLineIdentifier && own.orderLine(purchaseOrderLineIdentifier),
    metadata?.createdDate && own.made(formats.day(metadata.createdDate)),
    metadata?.updatedDate && own.changed(formats.day(metadata.updatedDate)),
  ];
  return <p className="help">{said.filter(Boolean).join(" · ")}</p>;
}
