/** The page of a title: its holdings and items, and the requests for them. */

import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { requestsOfTitle, type Title, title, titleLevelRequests } from "../api/inventory.ts";
import { NEEDS as MARC } from "../marc/needs.ts";
import { editorPath, marcViewPath } from "../marc/ways.ts";
import { Button } from "../parts/button.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { EmptyMessage, ErrorMessage, Loading, ReloadError } from "../parts/states.tsx";
import { NewRequestDialog } from "../requests/new-request.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { Copies } from "./copies/copies.tsx";
import type { RecordJson } from "./editing/spec.ts";
import { TITLE_SECTIONS } from "./editing/title-fields.ts";
import { SuppressionMarks } from "./hidden.tsx";
import { imprint } from "./imprint.ts";
import { RecordFacts } from "./item/facts.tsx";
import { RelatedTitles } from "./linked/related.tsx";
import { MoreMenu } from "./more.tsx";
import { DELETE_PERMISSIONS, DeleteDialog } from "./removing/delete.tsx";
import { MarkDeletedDialog } from "./removing/mark-deleted.tsx";
import { useLinkedWords } from "./words/linked.tsx";
import { useRecordWords } from "./words/records.tsx";
import "../style/cataloguing.css";
import { later } from "../parts/later.ts";

/** Draggable rows need much code, and few titles have requests. */
const Queue = later(() => import("../requests/queue.tsx"));

export default function TitlePage() {
  const { id = "" } = useParams();
  const words = useWords();
  const own = useRecordWords();
  const linked = useLinkedWords();
  const may = useMay();
  const asked = useQuery(title(id));
  const wholeTitle = useQuery(titleLevelRequests).data ?? false;
  if (asked.isPending) return <Loading />;
  if (asked.isLoadingError) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  const record = asked.data;
  return (
    <div className="desk-page">
      <ReloadError asked={asked} />
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
          <SuppressionMarks record={record} />
        </div>
        <div className="buttons">
          {record.source === "MARC" && may(MARC.change) && (
            <Link className="button" href={editorPath("BIBLIOGRAPHIC", id)}>
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
            <DialogOpener>
              <Button kind="primary">{words.inventory.requestAny}</Button>
              <NewRequestDialog instanceId={id} title={record.title} />
            </DialogOpener>
          )}
          <MoreOfTitle record={record} />
        </div>
      </header>
      <RelatedTitles record={record} />
      <Copies instanceId={id} title={record.title} isBound={record.isBoundWith === true} />
      <RequestQueues instanceId={id} wholeTitle={wholeTitle} />
      <details className="all-recorded">
        <summary>{own.itemPage.recorded}</summary>
        <RecordFacts record={record as unknown as RecordJson} sections={TITLE_SECTIONS} />
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
      <MoreMenu
        choices={[
          isMarc &&
            may(MARC.plain) && { name: own.marc.view, onChoose: () => navigate(marcViewPath("BIBLIOGRAPHIC", id)) },
          isMarc && may(MARC.make) && { name: own.marc.derive, onChoose: () => navigate(`/marc/bib/new?from=${id}`) },
          // FOLIO stores MARC holdings for titles of every source.
          may(MARC.make) && { name: own.marc.holdings, onChoose: () => navigate(`/marc/holdings/new?instance=${id}`) },
          may("inventory.instances.item.post") && {
            name: own.duplicate,
            onChoose: () => navigate(`/inventory/new?from=${id}`),
          },
          // FOLIO has no permission of its own for this; it is a change of the title.
          may("inventory.instances.item.put") &&
            !isMarked && { name: own.mark.button, onChoose: () => setAsks("mark") },
          may(DELETE_PERMISSIONS.title) && { name: own.remove.button, onChoose: () => setAsks("delete") },
        ]}
      />
      {asks === "mark" && <MarkDeletedDialog id={id} name={title} onClose={close} />}
      {asks === "delete" && <DeleteDialog kind="title" id={id} name={title} next="/inventory" onClose={close} />}
    </>
  );
}

function RequestQueues({ instanceId, wholeTitle }: { instanceId: string; wholeTitle: boolean }) {
  const words = useWords();
  const requests = useQuery(requestsOfTitle(instanceId));
  if (requests.isPending) return <Loading />;
  if (requests.error) return <ErrorMessage error={requests.error} retry={() => void requests.refetch()} />;
  // One queue for the title, or one for each requested item.
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
      {requests.data.length === 0 && <EmptyMessage>{words.inventory.nobodyWaits}</EmptyMessage>}
      <Suspense fallback={<Loading />}>
        {queues.map((queue) => queue.requests.length > 0 && <Queue key={queue.id} {...queue} />)}
      </Suspense>
    </section>
  );
}
