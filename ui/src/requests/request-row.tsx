/** A request in a list: of what, for whom, where it stands; and how it is cancelled. */

import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, type Ref, useState } from "react";
import { Link } from "wouter";
import { ask } from "../api/http.ts";
import { list } from "../api/list.ts";
import type { PatronRequest } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { useMay, useMember } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";

interface Place {
  row: Ref<HTMLLIElement>;
  rowProps: object;
  /** By which it is dragged. */
  handle: ReactNode;
}

export function RequestRow({
  request,
  forWhom = false,
  place,
  children,
}: {
  request: PatronRequest;
  forWhom?: boolean;
  /** In a queue that can be put into another order. */
  place?: Place;
  children?: ReactNode;
}) {
  const words = useWords();
  const formats = useFormats();
  const may = useMay();
  const title = request.instance?.title ?? "";
  const name = [request.requester?.firstName, request.requester?.lastName].filter(Boolean).join(" ");
  const open = request.status.startsWith("Open");
  return (
    <li className="row" ref={place?.row} {...place?.rowProps}>
      <div className="what">
        {request.instanceId ? <Link href={`/inventory/${request.instanceId}`}>{title}</Link> : <strong>{title}</strong>}
        <small>
          {[request.item?.callNumber, request.item?.location?.name].filter(Boolean).join(" · ")}{" "}
          <span className="code">{request.item?.barcode}</span>
        </small>
        {forWhom && (
          <small>
            <Link href={`/patrons/${request.requesterId}`}>{name || words.unknown}</Link>{" "}
            <span className="code">{request.requester?.barcode}</span>
          </small>
        )}
        <small>
          {words.requestTypes[request.requestType] ?? request.requestType}
          {request.requestDate && ` · ${words.requests.since(formats.day(request.requestDate))}`}
          {request.pickupServicePoint?.name && ` · ${words.requests.at(request.pickupServicePoint.name)}`}
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
        {place?.handle}
        {children}
        {open && may("circulation.requests.item.put") && <Cancel request={request} />}
      </div>
    </li>
  );
}

const reasons = queryOptions({
  queryKey: ["cancellation-reasons"],
  staleTime: 3_600_000,
  queryFn: async () => {
    return (await list("/cancellation-reason-storage/cancellation-reasons", { limit: 200 })).cancellationReasons;
  },
});

function Cancel({ request }: { request: PatronRequest }) {
  const words = useWords();
  return (
    <Opens>
      <Button kind="quiet" aria-label={`${words.requests.cancel}: ${request.instance?.title ?? ""}`}>
        {words.requests.cancel}
      </Button>
      <CancelDialog request={request} />
    </Opens>
  );
}

function CancelDialog({ request }: { request: PatronRequest }) {
  const words = useWords();
  const client = useQueryClient();
  const { user } = useMember();
  const known = useQuery(reasons).data ?? [];
  const [reason, setReason] = useState<string>();
  const [comment, setComment] = useState("");
  return (
    <FormDialog
      title={words.requests.cancelTitle(request.instance?.title ?? "")}
      submit={words.requests.cancel}
      danger
      onSubmit={async () => {
        const stored = await ask<object>(`/circulation/requests/${request.id}`);
        const body = {
          ...stored,
          status: "Closed - Cancelled",
          cancellationReasonId: reason ?? known[0]?.id,
          cancelledByUserId: user.id,
          cancelledDate: new Date().toISOString(),
          ...(comment && { cancellationAdditionalInformation: comment }),
        };
        await ask(`/circulation/requests/${request.id}`, { method: "PUT", body });
        await Promise.all([
          client.invalidateQueries({ queryKey: ["patron"] }),
          client.invalidateQueries({ queryKey: ["requests"] }),
        ]);
      }}
    >
      <Choice
        label={words.requests.reason}
        options={known}
        value={reason ?? known[0]?.id ?? null}
        onChange={setReason}
      />
      <Field label={words.comment} value={comment} onChange={setComment} lines={2} />
    </FormDialog>
  );
}
