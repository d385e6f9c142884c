/** A request in a list: title, requester, status and actions. */

import { Suspense } from "react";
import { Link } from "wouter";
import type { PatronRequest } from "../api/records.ts";
import { Code } from "../parts/code.tsx";
import { later } from "../parts/later.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { requesterName } from "./names.ts";
import { useRequestWords } from "./words/index.tsx";

const RequestActions = later(() => import("./actions.tsx"));

export function RequestRow({ request, showsRequester = false }: { request: PatronRequest; showsRequester?: boolean }) {
  const words = useWords();
  const formats = useFormats();
  const own = useRequestWords();
  const title = request.instance?.title ?? "";
  const name = requesterName(request);
  const open = request.status.startsWith("Open");
  const what = request.instanceId ? <Link href={`/inventory/${request.instanceId}`}>{title}</Link> : title;
  const where = [request.item?.callNumber, request.item?.location?.name].filter(Boolean).join(" · ");
  return (
    <li className="row">
      <div className="what">
        {showsRequester ? (
          <span>
            <Link href={`/patrons/${request.requesterId}`}>{name || words.unknown}</Link>{" "}
            <Code>{request.requester?.barcode}</Code>
          </span>
        ) : (
          <strong>{what}</strong>
        )}
        {showsRequester && <small>{what}</small>}
        <small>
          {where} <Code>{request.item?.barcode}</Code>
        </small>
        <small>
          {words.requestTypes[request.requestType] ?? request.requestType}
          {request.requestDate && ` · ${words.requests.since(formats.day(request.requestDate))}`}
          {request.pickupServicePoint?.name && ` · ${words.requests.at(request.pickupServicePoint.name)}`}
          {request.fulfillmentPreference === "Delivery" && ` · ${own.delivered}`}
          {open && request.requestExpirationDate && ` · ${own.wantedUntil(formats.day(request.requestExpirationDate))}`}
        </small>
      </div>
      <p className="due quiet">
        {words.statuses[request.status] ?? request.status}
        {open && request.position !== undefined && ` · ${words.requests.position(request.position)}`}
        {request.holdShelfExpirationDate && request.status === "Open - Awaiting pickup" && (
          <>
            <br />
            {words.checkIn.until(formats.day(request.holdShelfExpirationDate))}
          </>
        )}
      </p>
      <div className="actions">
        {open && (
          <Suspense fallback={null}>
            <RequestActions request={request} subject={title} />
          </Suspense>
        )}
      </div>
    </li>
  );
}
