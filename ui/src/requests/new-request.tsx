/**
 * Places a request for a title or an item. The server says which request types and pickup service points are allowed.
 */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, createRefusal } from "../api/http.ts";
import type { Item } from "../api/inventory.ts";
import type { CirculationAllowedServicePointsResponse } from "../api/octavo.ts";
import type { User } from "../api/records.ts";
import { Choice } from "../parts/choice.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { PatronFinder } from "../parts/patron-finder.tsx";
import { patronName } from "../parts/portrait.tsx";
import { ErrorMessage } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useServicePoint } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";

interface Props {
  instanceId: string;
  /** Without an item, the request is for any item of the title. */
  item?: Item;
  title: string;
}

const REQUEST_TYPES = ["Page", "Hold", "Recall"] as const;
type RequestType = (typeof REQUEST_TYPES)[number];

export function NewRequestDialog({ instanceId, item, title }: Props) {
  const words = useWords();
  const client = useQueryClient();
  const here = useServicePoint();
  const [patron, setPatron] = useState<User>();
  const allowed = useQuery({
    queryKey: ["allowed", patron?.id, item?.id ?? instanceId],
    enabled: patron !== undefined,
    queryFn: () =>
      ask<CirculationAllowedServicePointsResponse>("/circulation/requests/allowed-service-points", {
        query: {
          operation: "create",
          requesterId: patron?.id,
          ...(item ? { itemId: item.id } : { instanceId }),
        },
      }),
  });
  const types = REQUEST_TYPES.filter((type) => allowed.data?.[type]?.length);
  const [chosenType, chooseType] = useState<RequestType>();
  const [chosenPoint, choosePoint] = useState<string>();
  const type = chosenType && types.includes(chosenType) ? chosenType : types[0];
  const points = (type && allowed.data?.[type]) ?? [];
  const point = [chosenPoint, here?.id].find((id) => points.some((one) => one.id === id)) ?? points[0]?.id;
  return (
    <FormDialog
      title={words.requests.newTitle(title)}
      submit={words.requests.place}
      onSubmit={async () => {
        if (patron === undefined || type === undefined) throw createRefusal(422, words.requests.notAllowed);
        const body = {
          requestType: type,
          requestLevel: item ? "Item" : "Title",
          requestDate: new Date().toISOString(),
          requesterId: patron.id,
          instanceId,
          ...(item && { itemId: item.id, holdingsRecordId: item.holdingsRecordId }),
          fulfillmentPreference: "Hold Shelf",
          pickupServicePointId: point,
        };
        await ask("/circulation/requests", { method: "POST", body });
        announce(words.requests.placed(patronName(patron)));
        await Promise.all(
          [["requests"], ["title", instanceId], ["patron", patron.id]].map((queryKey) =>
            client.invalidateQueries({ queryKey }),
          ),
        );
      }}
    >
      <PatronFinder label={words.requests.forWhom} onChange={setPatron} />
      {allowed.error && <ErrorMessage error={allowed.error} />}
      {allowed.isSuccess && types.length === 0 && <p className="banner warn">{words.requests.notAllowed}</p>}
      {type && (
        <div className="pair">
          <Choice
            label={words.requests.type}
            options={types.map((id) => ({ id, name: words.requestTypes[id] ?? id }))}
            value={type}
            onChange={chooseType}
          />
          <Choice label={words.requests.pickup} options={points} value={point ?? null} onChange={choosePoint} />
        </div>
      )}
    </FormDialog>
  );
}
