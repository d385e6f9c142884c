/** Who comes first: a queue, moved by keyboard or by hand. What has begun stays on top; the server sees to that. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import type { PatronRequest } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Trouble } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";
import { usePlace } from "./place.tsx";
import { RequestRow } from "./request-row.tsx";

interface Props {
  /** Of a title or of one copy. */
  of: "instance" | "item";
  id: string;
  requests: PatronRequest[];
}

export function Queue({ of, id, requests }: Props) {
  const words = useWords();
  const may = useMay();
  const client = useQueryClient();
  const moving = useMutation({
    mutationFn: ({ from, to }: { from: number; to: number }) => {
      const reorderedQueue = moved(requests, from, to).map((one, index) => ({ id: one.id, newPosition: index + 1 }));
      return ask(`/circulation/requests/queue/${of}/${id}/reorder`, { method: "POST", body: { reorderedQueue } });
    },
    onSuccess: (_, { to }) => {
      announce(words.requests.position(to + 1));
      return client.invalidateQueries({ queryKey: ["requests"] });
    },
  });
  const mayMove = may("circulation.requests.queue.reorder.collection.post") && requests.length > 1;
  return (
    <>
      <ol className="rows queue">
        {requests.map((request, index) =>
          mayMove ? (
            <Movable
              key={request.id}
              queue={id}
              requests={requests}
              index={index}
              isBusy={moving.isPending}
              onMove={(from, to) => moving.mutate({ from, to })}
            />
          ) : (
            <RequestRow key={request.id} request={request} forWhom />
          ),
        )}
      </ol>
      {moving.error && <Trouble error={moving.error} />}
    </>
  );
}

interface MovableProps {
  queue: string;
  requests: PatronRequest[];
  index: number;
  isBusy: boolean;
  onMove: (from: number, to: number) => void;
}

function Movable({ queue, requests, index, isBusy, onMove }: MovableProps) {
  const words = useWords();
  const request = requests[index];
  const place = usePlace({
    id: request?.id ?? "",
    name: request?.requester?.lastName ?? "",
    queue,
    isFixed: isBusy || hasBegun(request),
    onTake: (id) => {
      const from = requests.findIndex((one) => one.id === id);
      if (from !== -1 && from !== index) onMove(from, index);
    },
  });
  if (request === undefined) return null;
  return (
    <RequestRow request={request} forWhom place={place}>
      <Move
        name={words.requests.up}
        request={request}
        isDisabled={index === 0 || isBusy || hasBegun(requests[index - 1]) || hasBegun(request)}
        onPress={() => onMove(index, index - 1)}
      />
      <Move
        name={words.requests.down}
        request={request}
        isDisabled={index === requests.length - 1 || isBusy || hasBegun(request)}
        onPress={() => onMove(index, index + 1)}
      />
    </RequestRow>
  );
}

interface MoveProps {
  name: string;
  request: PatronRequest;
  isDisabled: boolean;
  onPress: () => void;
}

function Move({ name, request, ...button }: MoveProps) {
  return (
    <Button kind="quiet" aria-label={`${name}: ${request.requester?.lastName ?? ""}`} {...button}>
      {name}
    </Button>
  );
}

function hasBegun(request: PatronRequest | undefined): boolean {
  return request !== undefined && request.status !== "Open - Not yet filled";
}

function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, ...list.slice(from, from + 1));
}
