/** A title: its copies, where each is, and who waits. */

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { requestsOf, type Title, title, titleLevelRequests } from "../api/inventory.ts";
import { NEEDS as MARC } from "../marc/needs.ts";
import { editorOf, plainOf } from "../marc/ways.ts";
import { Button } from "../parts/button.tsx";
import { Opens } from "../parts/opens.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { NewRequest } from "../requests/new-request.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { Copies } from "./copies/copies.tsx";
import type { Stored } from "./editing/spec.ts";
import { TITLE_SECTIONS } from "./editing/title-fields.ts";
import { Hidden } from "./hidden.tsx";
import { imprint } from "./imprint.ts";
import { Facts } from "./item/facts.tsx";
import { Related } from "./linked/related.tsx";
import { More } from "./more.tsx";
import { Delete, MAY_DELETE } from "./removing/delete.tsx";
import { MarkDeleted } from "./removing/mark-deleted.tsx";
import { useLinkedWords } from "./words/linked.tsx";
import { useRecordWords } from "./words/records.tsx";
import "../style/cataloguing.css";

/** Rows that can be dragged take much code, and few titles are waited for. */
const Queue = lazy(() => import("../requests/queue.tsx"));

export default function TitlePage() {
  const { id = "" } = useParams();
  const words = useWords();
  const own = useRecordWords();
  const linked = useLinkedWords();
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
          <p>
            <bdi>{imprint(record)}</bdi>
          </p>
          <small>
            <bdi>
              {[record.physicalDescriptions?.[0], record.identifiers?.[0]?.value, record.hrid]
                .filter(Boolean)
                .join(" · ")}
            </bdi>
          </small>
          <Hidden from={record} />
        </div>
        <div className="buttons">
          {record.source === "MARC" && may(MARC.change) && (
            <Link className="button" href={editorOf("BIBLIOGRAPHIC", id)}>
              {linked.marc.edit}
            </Link>
          )}
          {may("inventory.instances.item.put") && (
            <Link className="button" href={`/inventory/${id}/edit`}>
              {own.editTitle}
            </Link>
          )}
          {may("inventory-storage.holdings.item.post") && (
            <Link className="button" href={`/inventory/${id}/holdings/new`}>
              {own.newHoldings}
            </Link>
          )}
          {wholeTitle && may("circulation.requests.item.post") && (
            <Opens>
              <Button kind="primary">{words.inventory.requestAny}</Button>
              <NewRequest instanceId={id} title={record.title} />
            </Opens>
          )}
          <MoreOfTitle record={record} />
        </div>
      </header>
      <Related record={record} />
      <Copies instanceId={id} title={record.title} isBound={record.isBoundWith === true} />
      <Waiting instanceId={id} wholeTitle={wholeTitle} />
      <details className="all-recorded">
        <summary>{own.itemPage.recorded}</summary>
        <Facts record={record as unknown as Stored} sections={TITLE_SECTIONS} />
      </details>
    </div>
  );
}

function MoreOfTitle({ record: { id = "", title, source, ...hidden } }: { record: Title }) {
  const own = useLinkedWords();
  const may = useMay();
  const [, navigate] = useLocation();
  const [asks, setAsks] = useState<"delete" | "mark">();
  const close = () => setAsks(undefined);
  const isMarc = source === "MARC";
  const isMarked = hidden.discoverySuppress && hidden.staffSuppress;
  return (
    <>
      <More
        choices={[
          isMarc && may(MARC.plain) && { name: own.marc.view, does: () => navigate(plainOf("BIBLIOGRAPHIC", id)) },
          isMarc && may(MARC.make) && { name: own.marc.derive, does: () => navigate(`/marc/bib/new?from=${id}`) },
          // FOLIO keeps MARC of holdings under titles of every source.
          may(MARC.make) && { name: own.marc.holdings, does: () => navigate(`/marc/holdings/new?instance=${id}`) },
          may("inventory.instances.item.post") && {
            name: own.duplicate,
            does: () => navigate(`/inventory/new?from=${id}`),
          },
          // FOLIO asks for no permission of its own here; it is a change of the title.
          may("inventory.instances.item.put") && !isMarked && { name: own.mark.button, does: () => setAsks("mark") },
          may(MAY_DELETE.title) && { name: own.remove.button, does: () => setAsks("delete") },
        ]}
      />
      {asks === "mark" && <MarkDeleted id={id} name={title} onClose={close} />}
      {asks === "delete" && <Delete kind="title" id={id} name={title} next="/inventory" onClose={close} />}
    </>
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
      <Suspense fallback={<Loading />}>
        {queues.map((queue) => queue.requests.length > 0 && <Queue key={queue.id} {...queue} />)}
      </Suspense>
    </section>
  );
}
