/** The page of an item: location and status, loans, requests, and all values of its record. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import type { Item } from "../../api/inventory.ts";
import { item, requestsOfItem } from "../../api/items.ts";
import { CallNumber } from "../../parts/code.tsx";
import { EmptyMessage, ErrorMessage, Loading, ReloadError } from "../../parts/states.tsx";
import { RequestRow } from "../../requests/request-row.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import { ITEM_SECTIONS } from "../editing/item-fields.ts";
import type { RecordJson } from "../editing/spec.ts";
import { SuppressionMarks } from "../hidden.tsx";
import { ItemActions } from "../item-actions.tsx";
import { PrintLabels } from "../labels/dialog.tsx";
import { BindDialog, BoundWith } from "../linked/bound-with.tsx";
import { BIND_PERMISSIONS } from "../linked/volume.ts";
import { MoreMenu } from "../more.tsx";
import { DELETE_PERMISSIONS, DeleteDialog } from "../removing/delete.tsx";
import { useLinkedWords } from "../words/linked.tsx";
import { useRecordWords } from "../words/records.tsx";
import { RecordFacts } from "./facts.tsx";
import { LastCheckIn, LoanHistory } from "./history.tsx";

export function ItemPage() {
  const { id = "", item: itemId = "" } = useParams();
  const asked = useQuery(item(itemId));
  if (asked.isPending) return <Loading />;
  if (asked.isLoadingError) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  return (
    <>
      <ReloadError asked={asked} />
      <ItemDetails item={asked.data} instanceId={id} />
    </>
  );
}

function ItemDetails({ item, instanceId }: Props) {
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
          <ItemLocation item={item} />
          <SuppressionMarks record={item} />
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
      <LoanHistory itemId={item.id} />
      <ItemRequests itemId={item.id} />
      <section>
        <h2>{own.itemPage.recorded}</h2>
        <RecordFacts record={item as unknown as RecordJson} sections={ITEM_SECTIONS} />
        <ItemNumbers item={item} />
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
      <MoreMenu
        choices={[
          may("inventory.items.item.post") && {
            name: own.duplicate,
            onChoose: () => navigate(`${title}/holdings/${holdingsRecordId}/items/new?from=${id}`),
          },
          may(...BIND_PERMISSIONS) && { name: own.boundWith.bind, onChoose: () => setAsks("bind") },
          may(DELETE_PERMISSIONS.item) && { name: own.remove.button, onChoose: () => setAsks("delete") },
        ]}
      />
      {asks === "bind" && <BindDialog item={item} instanceId={instanceId} onClose={close} />}
      {asks === "delete" && (
        <DeleteDialog kind="item" id={id} name={barcode ?? words.inventory.noBarcode} next={title} onClose={close} />
      )}
    </>
  );
}

interface Props {
  item: Item;
  instanceId: string;
}

function ItemLocation({ item }: { item: Item }) {
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

function ItemRequests({ itemId }: { itemId: string }) {
  const words = useWords();
  const may = useMay();
  const mayRead = may("circulation.requests.collection.get");
  const requests = useQuery({ ...requestsOfItem(itemId), enabled: mayRead });
  if (!mayRead) return null;
  if (requests.isPending) return <Loading />;
  if (requests.error) return <ErrorMessage error={requests.error} retry={() => void requests.refetch()} />;
  return (
    <section>
      <h2>{words.inventory.queue}</h2>
      {requests.data.length === 0 && <EmptyMessage>{words.inventory.nobodyWaits}</EmptyMessage>}
      <ol className="rows">
        {requests.data.map((request) => (
          <RequestRow key={request.id} request={request} showsRequester />
        ))}
      </ol>
    </section>
  );
}

/** The identifiers by which other programs know the item. */
function ItemNumbers({ item: { hrid, id, purchaseOrderLineIdentifier, metadata } }: { item: Item }) {
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
