/** Items go to other holdings, of this title or another; holdings go to another title. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, refusing } from "../../api/http.ts";
import { holdings, type Item, locations } from "../../api/inventory.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Opens } from "../../parts/opens.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useRecordWords } from "../words/records.tsx";
import { callNumberOf, type Group, locationOf } from "./narrowing.ts";
import { type FoundTitle, TitleFinder } from "./title-finder.tsx";

interface MovingItems {
  instanceId: string;
  items: readonly Item[];
  all: readonly Group[];
  onDone: () => void;
}

export function MoveItems(moving: MovingItems) {
  const own = useRecordWords().move;
  const may = useMay();
  if (!may("inventory.items.move.item.post")) return null;
  return (
    <Opens>
      <Button>{own.items}</Button>
      <ItemsDialog {...moving} />
    </Opens>
  );
}

const OTHER_TITLE = "-";

function ItemsDialog({ instanceId, items, all, onDone }: MovingItems) {
  const own = useRecordWords().move;
  const send = useMove();
  const [to, setTo] = useState<string>();
  const [other, setOther] = useState<FoundTitle>();
  const [shelf, setShelf] = useState<string>();
  const shelves = useShelvesOf(other?.id);
  const isOther = to === OTHER_TITLE;
  const from = new Set(items.map(({ holdingsRecordId }) => holdingsRecordId));
  const here = all
    .filter(({ shelf: { id } }) => from.size > 1 || !from.has(id))
    .map((group) => ({
      id: group.shelf.id,
      name: [group.place, callNumberOf(group.shelf)].filter(Boolean).join(" · "),
    }));
  const ids = items.map(({ id }) => id);
  return (
    <FormDialog
      title={own.itemsTitle(items.length)}
      submit={own.submit}
      onSubmit={async () => {
        const toHoldingsRecordId = isOther ? shelf : to;
        if (toHoldingsRecordId === undefined) throw refusing(422, own.whereTo);
        await send("/inventory/items/move", { toHoldingsRecordId, itemIds: ids }, [instanceId, other?.id]);
        announce(own.itemsMoved(items.length));
      }}
      onDone={onDone}
    >
      <Choice
        label={own.toHoldings}
        options={[...here, { id: OTHER_TITLE, name: own.ofOtherTitle }]}
        value={to ?? null}
        onChange={setTo}
        placeholder={own.choose}
        isRequired
      />
      {isOther && <TitleFinder label={own.otherTitle} except={[instanceId]} onChange={setOther} />}
      {isOther && other && (
        <Choice
          label={own.itsHoldings}
          options={shelves}
          value={shelf ?? null}
          onChange={setShelf}
          placeholder={own.choose}
          isRequired
        />
      )}
      {isOther && other && shelves.length === 0 && <p className="help">{own.noHoldings}</p>}
    </FormDialog>
  );
}

interface MovingHoldings {
  instanceId: string;
  shelves: readonly Group[];
  onDone: () => void;
}

export function MoveHoldings(moving: MovingHoldings) {
  const own = useRecordWords().move;
  const may = useMay();
  if (!may("inventory.holdings.move.item.post")) return null;
  return (
    <Opens>
      <Button>{own.holdings}</Button>
      <HoldingsDialog {...moving} />
    </Opens>
  );
}

function HoldingsDialog({ instanceId, shelves, onDone }: MovingHoldings) {
  const own = useRecordWords().move;
  const send = useMove();
  const [other, setOther] = useState<FoundTitle>();
  return (
    <FormDialog
      title={own.holdingsTitle(shelves.length)}
      submit={own.submit}
      onSubmit={async () => {
        if (other === undefined) throw refusing(422, own.whereTo);
        const holdingsRecordIds = shelves.map(({ shelf }) => shelf.id);
        await send("/inventory/holdings/move", { toInstanceId: other.id, holdingsRecordIds }, [instanceId, other.id]);
        announce(own.holdingsMoved(shelves.length, other.title));
      }}
      onDone={onDone}
    >
      <ul className="moved">
        {shelves.map(({ shelf, place }) => (
          <li key={shelf.id}>{[place, callNumberOf(shelf)].filter(Boolean).join(" · ")}</li>
        ))}
      </ul>
      <TitleFinder label={own.otherTitle} except={[instanceId]} onChange={setOther} />
    </FormDialog>
  );
}

/** Sends the order; what the server could not find it has left where it was, and says so. */
function useMove() {
  const own = useRecordWords().move;
  const client = useQueryClient();
  return async (path: string, body: object, titles: readonly (string | undefined)[]) => {
    const answer = await ask<{ nonUpdatedIds?: string[] }>(path, { method: "POST", body });
    const of = titles.filter((id) => id !== undefined);
    await Promise.all(of.map((id) => client.invalidateQueries({ queryKey: ["title", id] })));
    await Promise.all(["titles", "search", "item"].map((key) => client.invalidateQueries({ queryKey: [key] })));
    const lost = answer.nonUpdatedIds?.length ?? 0;
    if (lost > 0) throw refusing(422, own.notMoved(lost));
  };
}

export function useShelvesOf(instanceId: string | undefined): { id: string; name: string }[] {
  const places = useQuery(locations).data;
  const shelves = useQuery({ ...holdings(instanceId ?? ""), enabled: instanceId !== undefined }).data ?? [];
  return shelves.map((shelf) => {
    const place = places?.find(({ id }) => id === locationOf(shelf))?.name;
    return { id: shelf.id, name: [place, callNumberOf(shelf)].filter(Boolean).join(" · ") };
  });
}
