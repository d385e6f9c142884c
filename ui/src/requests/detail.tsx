/** The details of one request, and the actions on it. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { ask } from "../api/http.ts";
import type { PatronRequest } from "../api/records.ts";
import { cancellationReasons } from "../lists/bulk/fields.tsx";
import { CallNumber, Code } from "../parts/code.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import RequestActions from "./actions.tsx";
import { useRequestWords } from "./words/index.tsx";
import "./requests.css";

export default function RequestDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const words = useWords();
  const own = useRequestWords();
  const asked = useQuery({
    queryKey: ["requests", "one", id],
    queryFn: () => ask<PatronRequest>(`/circulation/requests/${encodeURIComponent(id)}`),
  });
  const request = asked.data;
  const title = request
    ? own.title(words.requestTypes[request.requestType] ?? request.requestType, request.instance?.title ?? "")
    : words.pages.requests;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      {() => (
        <>
          {asked.isPending && <Loading />}
          {asked.error && <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />}
          {request && <RequestFacts request={request} />}
          {request && (
            <div className="buttons">
              <RequestActions request={request} />
            </div>
          )}
        </>
      )}
    </Dialog>
  );
}

function RequestFacts({ request }: { request: PatronRequest }) {
  const own = useRequestWords();
  const said = useRequestFacts(request);
  return (
    <dl className="request-facts">
      {Object.entries(own.facts).map(([name, label]) => {
        const value = said[name as keyof typeof own.facts];
        return (
          value && (
            <div key={name}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          )
        );
      })}
    </dl>
  );
}

type RequestFact = keyof ReturnType<typeof useRequestWords>["facts"];

function useRequestFacts(request: PatronRequest): Record<RequestFact, ReactNode> {
  const words = useWords();
  const own = useRequestWords();
  const formats = useFormats();
  const { requester, proxy, item, deliveryAddress: to } = request;
  const isOpen = request.status.startsWith("Open");
  const reasons = useQuery({ ...cancellationReasons, enabled: request.cancellationReasonId !== undefined });
  const why = reasons.data?.find(({ id }) => id === request.cancellationReasonId)?.name;
  const day = (instant: string | undefined) => instant && formats.day(instant);
  const name = (person: { firstName?: string; lastName?: string } | undefined) =>
    [person?.lastName, person?.firstName].filter(Boolean).join(", ");
  return {
    status: words.statuses[request.status] ?? request.status,
    position: isOpen && request.position !== undefined && own.positionOf(request.position),
    level: own.levels[request.requestLevel ?? ""],
    patron: (
      <>
        <Link href={`/patrons/${request.requesterId}`}>{name(requester) || words.unknown}</Link>{" "}
        <Code>{requester?.barcode}</Code>
      </>
    ),
    group: requester?.patronGroup?.group,
    proxy: name(proxy),
    wanted: request.instanceId && <Link href={`/inventory/${request.instanceId}`}>{request.instance?.title}</Link>,
    item: item && (
      <>
        {item.location?.name}
        {item.location?.name && item.callNumber && " · "}
        <CallNumber>{item.callNumber}</CallNumber> <Code>{item.barcode}</Code>
      </>
    ),
    pickup: request.pickupServicePoint?.name,
    delivery:
      request.fulfillmentPreference === "Delivery" &&
      ([to?.addressLine1, to?.addressLine2, to?.postalCode, to?.city].filter(Boolean).join(", ") || own.delivered),
    requested: request.requestDate && formats.moment(request.requestDate),
    until: day(request.requestExpirationDate),
    kept: day(request.holdShelfExpirationDate),
    comments: request.patronComments && (
      <>
        {request.patronComments}
        {isOpen && <small className="help">{own.commentsStay}</small>}
      </>
    ),
    tags: request.tags?.tagList?.join(", "),
    cancelled:
      request.cancelledDate &&
      [formats.moment(request.cancelledDate), why, request.cancellationAdditionalInformation]
        .filter(Boolean)
        .join(" · "),
  };
}
