/** A row of a request queue: the requester, the request type, the pickup service point, and the expiration date. */

import { type KeyboardEvent, type ReactNode, type Ref, Suspense } from "react";
import { Link } from "wouter";
import type { PatronRequest } from "../api/records.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { requesterName, shortStatus } from "./names.ts";
import { useRequestWords } from "./words/index.tsx";
import "./requests.css";
import { later } from "../parts/later.ts";

const RequestActions = later(() => import("./actions.tsx"));

interface Props {
  request: PatronRequest;
  /** In a queue of a title, the row shows the barcode of the requested item. */
  showsCopy: boolean;
  row?: Ref<HTMLLIElement>;
  rowProps?: object;
  onKeyDown?: (event: KeyboardEvent) => void;
  /** The buttons that move the request. */
  children?: ReactNode;
}

export function QueueRow({ request, showsCopy, row, rowProps, onKeyDown, children }: Props) {
  const words = useWords();
  const own = useRequestWords();
  const formats = useFormats();
  const name = requesterName(request);
  const isOnShelf = request.status === "Open - Awaiting pickup";
  const end = isOnShelf ? request.holdShelfExpirationDate : request.requestExpirationDate;
  return (
    <li className="queue-row" ref={row} {...rowProps} onKeyDown={onKeyDown}>
      <span className="queue-number">{request.position}</span>
      <p>
        <Link href={`/patrons/${request.requesterId}`}>{name || words.unknown}</Link>
        <small className="code">{request.requester?.barcode}</small>
      </p>
      <p>
        {words.requestTypes[request.requestType] ?? request.requestType}
        {request.requestDate && <small>{words.requests.since(formats.day(request.requestDate))}</small>}
      </p>
      <p>
        {request.pickupServicePoint?.name ?? own.delivered}
        {showsCopy && <small className="code">{request.item?.barcode}</small>}
      </p>
      <p>
        {shortStatus(request.status, words)}
        {end && <small>{isOnShelf ? words.checkIn.until(formats.day(end)) : own.wantedUntil(formats.day(end))}</small>}
      </p>
      <div className="actions">
        {children}
        <Suspense fallback={null}>
          <RequestActions request={request} subject={name} isMenu />
        </Suspense>
      </div>
    </li>
  );
}
