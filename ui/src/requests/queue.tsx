/**
 * A request queue, whose order staff change by keyboard or by dragging. Requests whose fulfilment has begun stay on
 * top; the server requires that.
 */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { ask } from "../api/http.ts";
import type { PatronRequest } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { requesterName } from "./names.ts";
import { canStandAt, hasBegun, moveInList, targetIndex } from "./order.ts";
import { useQueuePlace } from "./place.tsx";
import { QueueRow } from "./queue-row.tsx";
import { useRequestWords } from "./words/index.tsx";

interface Props {
  /** The queue of a title, or of one item. */
  of: "instance" | "item";
  id: string;
  requests: PatronRequest[];
}

export default function Queue({ of, id, requests }: Props) {
  const may = useMay();
  const client = useQueryClient();
  const own = useRequestWords();
  const focus = useRef<Element | null>(null);
  const moving = useMutation({
    mutationFn: ({ from, to }: { from: number; to: number }) => {
      const reorderedQueue = moveInList(requests, from, to).map((one, index) => ({
        id: one.id,
        newPosition: index + 1,
      }));
      return ask(`/circulation/requests/queue/${of}/${id}/reorder`, { method: "POST", body: { reorderedQueue } });
    },
    onSuccess: async (_, { from, to }) => {
      announce(own.moved(requesterName(requests[from]), to + 1, requests.length));
      await client.invalidateQueries({ queryKey: ["requests"] });
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the queue has come in its new order
  useEffect(() => {
    restoreFocus(focus.current);
    focus.current = null;
  }, [requests]);
  const move = (from: number, to: number) => {
    // A button that is disabled meanwhile would lose the focus.
    if (moving.isPending) return;
    if (!canStandAt(requests, from, to)) return announce(own.staysFirst(requesterName(requests[from])));
    focus.current = document.activeElement;
    moving.mutate({ from, to });
  };
  const mayMove = may("circulation.requests.queue.reorder.collection.post") && requests.length > 1;
  return (
    <>
      <ol className="queue">
        {requests.map((request, index) =>
          mayMove ? (
            <MovableRow
              key={request.id}
              queue={id}
              showsCopy={of === "instance"}
              requests={requests}
              index={index}
              onMove={move}
            />
          ) : (
            <QueueRow key={request.id} request={request} showsCopy={of === "instance"} />
          ),
        )}
      </ol>
      {mayMove && <p className="help">{own.keys}</p>}
      {moving.error && <ErrorMessage error={moving.error} />}
    </>
  );
}

interface MovableRowProps {
  queue: string;
  showsCopy: boolean;
  requests: PatronRequest[];
  index: number;
  onMove: (from: number, to: number) => void;
}

function MovableRow({ queue, showsCopy, requests, index, onMove }: MovableRowProps) {
  const words = useWords();
  const request = requests[index];
  const place = useQueuePlace({
    id: request?.id ?? "",
    name: request?.requester?.lastName ?? "",
    queue,
    isFixed: hasBegun(request),
    onTake: (id) => {
      const from = requests.findIndex((one) => one.id === id);
      if (from !== -1 && from !== index) onMove(from, index);
    },
  });
  if (request === undefined) return null;
  const pressed = (event: KeyboardEvent) => {
    const to = event.altKey ? targetIndex(event.key, index, requests) : undefined;
    if (to === undefined || hasBegun(request)) return;
    event.preventDefault();
    if (to !== index && requests[to]) onMove(index, to);
  };
  return (
    <QueueRow request={request} showsCopy={showsCopy} row={place.row} rowProps={place.rowProps} onKeyDown={pressed}>
      {place.handle}
      <MoveButton
        name={words.requests.up}
        sign="▴"
        request={request}
        isDisabled={!canStandAt(requests, index, index - 1)}
        onPress={() => onMove(index, index - 1)}
      />
      <MoveButton
        name={words.requests.down}
        sign="▾"
        request={request}
        isDisabled={!canStandAt(requests, index, index + 1)}
        onPress={() => onMove(index, index + 1)}
      />
    </QueueRow>
  );
}

interface MoveButtonProps {
  name: string;
  sign: string;
  request: PatronRequest;
  isDisabled: boolean;
  onPress: () => void;
}

function MoveButton({ name, sign, request, ...button }: MoveButtonProps) {
  return (
    <Button kind="quiet" aria-label={`${name}: ${request.requester?.lastName ?? ""}`} {...button}>
      <span aria-hidden="true">{sign}</span>
    </Button>
  );
}

/** Returns the focus to the row that was moved; at an end of the queue to its other button. */
function restoreFocus(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  if (element.matches(":disabled")) {
    element.closest("li")?.querySelector<HTMLElement>("[role=button], button:not([disabled])")?.focus();
  } else if (document.activeElement === document.body) {
    element.focus();
  }
}
