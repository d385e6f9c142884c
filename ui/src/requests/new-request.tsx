/** Somebody wants a title, or a copy of it. What may be asked for, and where it may be fetched, the server says. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, refusing } from "../api/http.ts";
import type { Item } from "../api/inventory.ts";
import type { CirculationAllowedServicePointsResponse } from "../api/octavo.ts";
import type { User } from "../api/records.ts";
import { Choice } from "../parts/choice.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { PatronFinder } from "../parts/patron-finder.tsx";
import { nameOf } from "../parts/portrait.tsx";
import { Trouble } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useServicePoint } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";

interface Props {
  instanceId: string;
  /** Any copy, if none is named. */
  item?: Item;
  title: string;
}

const TYPES = ["Page", "Hold", "Recall"] as const;
type Type = (typeof TYPES)[number];

export function NewRequest({ instanceId, item, title }: Props) {
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
  const types = TYPES.filter((type) => allowed.data?.[type]?.length);
  const [chosenType, chooseType] = useState<Type>();
  const [chosenPoint, choosePoint] = useState<string>();
  const type = chosenType && types.includes(chosenType) ? chosenType : types[0];
  const points = (type && allowed.data?.[type]) ?? [];
  const point = [chosenPoint, here?.id].find((id) => points.some((one) => one.id === id)) ?? points[0]?.id;
  return (
    <FormDialog
      title={words.requests.newTitle(title)}
      submit={words.requests.place}
      onSubmit={async () => {
        if (patron === undefined || type === undefined) throw refusing(422, words.requests.notAllowed);
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
        announce(words.requests.placed(nameOf(patron)));
        await Promise.all(
          [["requests"], ["title", instanceId], ["patron", patron.id]].map((queryKey) =>
            client.invalidateQueries({ queryKey }),
          ),
        );
      }}
    >
      <PatronFinder label={words.requests.forWhom} onChange={setPatron} />
      {allowed.error && <Trouble error={allowed.error} />}
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
