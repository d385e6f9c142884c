/** A title: its copies, where each is, and who waits. */

import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "wouter";
import {
  type Holdings,
  holdings,
  type Item,
  items,
  loansOf,
  locations,
  requestsOf,
  title,
  titleLevelRequests,
} from "../api/inventory.ts";
import type { Loan } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Opens } from "../parts/opens.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { NewRequest } from "../requests/new-request.tsx";
import { Queue } from "../requests/queue.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { EditHoldings } from "./edit-holdings.tsx";
import { EditTitle } from "./edit-title.tsx";
import { imprint } from "./imprint.ts";
import { ItemActions } from "./item-actions.tsx";
import { NewItem } from "./new-item.tsx";

export default function TitlePage() {
  const { id = "" } = useParams();
  const words = useWords();
  const may = useMay();
  const asked = useQuery(title(id));
  const wholeTitle = useQuery(titleLevelRequests).data ?? false;
  if (asked.isPending) return <Loading />;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
  const record = asked.data;
  return (
    <div className="desk-page">
      <header className="head">
        <div className="what">
          <h1>{record.title}</h1>
          <p>{imprint(record)}</p>
          <small>
            {[record.physicalDescriptions?.[0], record.identifiers?.[0]?.value, record.hrid]
              .filter(Boolean)
              .join(" · ")}
          </small>
          <Hidden from={record} />
        </div>
        <div className="buttons">
          {may("inventory.instances.item.put") && <EditTitle record={record} />}
          {wholeTitle && may("circulation.requests.item.post") && (
            <Opens>
              <Button kind="primary">{words.inventory.requestAny}</Button>
              <NewRequest instanceId={id} title={record.title} />
            </Opens>
          )}
        </div>
      </header>
      <Copies instanceId={id} title={record.title} />
      <Waiting instanceId={id} wholeTitle={wholeTitle} />
    </div>
  );
}

function Copies({ instanceId, title }: { instanceId: string; title: string }) {
  const words = useWords();
  const may = useMay();
  const copies = useQuery(items(instanceId));
  const shelves = useQuery(holdings(instanceId));
  const places = useQuery(locations).data;
  const placeOf = (shelf: Holdings) =>
    places?.find(({ id }) => id === (shelf.effectiveLocationId ?? shelf.permanentLocationId))?.name ?? "";
  const out = copies.data?.filter(({ status }) => status.name === "Checked out").map(({ id }) => id) ?? [];
  const loans = useQuery(loansOf(instanceId, out)).data;
  if (copies.isPending || shelves.isPending) return <Loading />;
  if (copies.error) return <Trouble error={copies.error} retry={() => void copies.refetch()} />;
  if (shelves.error) return <Trouble error={shelves.error} retry={() => void shelves.refetch()} />;
  if (shelves.data.length === 0) return <Empty>{words.inventory.noHoldings}</Empty>;
  return shelves.data.map((shelf) => (
    <section key={shelf.id}>
      <div className="tools">
        <h2>
          {placeOf(shelf) || "\u00a0"}{" "}
          <small>{[shelf.callNumberPrefix, shelf.callNumber, shelf.callNumberSuffix].filter(Boolean).join(" ")}</small>
        </h2>
        <div className="buttons">
          <EditHoldings shelf={shelf} place={placeOf(shelf)} />
          {may("inventory.items.item.post") && (
            <Opens>
              <Button>{words.inventory.newItem}</Button>
              <NewItem shelf={shelf} />
            </Opens>
          )}
        </div>
      </div>
      <Hidden from={shelf} />
      {shelf.notes?.map(({ note }) => (
        <p key={note} className="fact">
          {note}
        </p>
      ))}
      <ul className="rows">
        {copies.data
          .filter(({ holdingsRecordId }) => holdingsRecordId === shelf.id)
          .map((item) => (
            <Copy key={item.id} item={item} due={loans?.get(item.id)} instanceId={instanceId} title={title} />
          ))}
      </ul>
    </section>
  ));
}

/** From whom staff have hidden it. */
function Hidden({ from }: { from: { discoverySuppress?: boolean; staffSuppress?: boolean } }) {
  const { fields } = useWords().editing;
  return (
    <>
      {from.discoverySuppress && <p className="fact">{fields.discoverySuppress}</p>}
      {from.staffSuppress && <p className="fact">{fields.staffSuppress}</p>}
    </>
  );
}

interface CopyProps {
  item: Item;
  due: Loan | undefined;
  instanceId: string;
  title: string;
}

function Copy({ item, due, instanceId, title }: CopyProps) {
  const words = useWords();
  const formats = useFormats();
  const status = item.status.name;
  const loanType = (item.temporaryLoanType ?? item.permanentLoanType)?.name;
  return (
    <li className="row">
      <div className="what">
        <span className="code">{item.barcode ?? words.inventory.noBarcode}</span>
        <small>
          {[item.volume, item.enumeration, item.copyNumber && words.inventory.copy(item.copyNumber)]
            .concat(item.materialType?.name, loanType)
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

function Waiting({ instanceId, wholeTitle }: { instanceId: string; wholeTitle: boolean }) {
  const words = useWords();
  const requests = useQuery(requestsOf(instanceId));
  if (requests.isPending) return <Loading />;
  if (requests.error) return <Trouble error={requests.error} retry={() => void requests.refetch()} />;
  // One queue for the title, or one for each copy that somebody waits for.
  const queues = wholeTitle
    ? [{ of: "instance" as const, id: instanceId, requests: requests.data }]
    : [...Map.groupBy(requests.data, (request) => request.itemId ?? "")].map(([id, waiting]) => ({
        of: "item" as const,
        id,
        requests: waiting,
      }));
  return (
    <section>
      <h2>{words.inventory.queue}</h2>
      {requests.data.length === 0 && <Empty>{words.inventory.nobodyWaits}</Empty>}
      {queues.map((queue) => queue.requests.length > 0 && <Queue key={queue.id} {...queue} />)}
    </section>
  );
}
