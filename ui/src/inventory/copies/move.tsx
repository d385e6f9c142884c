/** Moves items to other holdings, of this title or another, and holdings to another title. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, createRefusal } from "../../api/http.ts";
import { holdings, type Item, locations } from "../../api/inventory.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { DialogOpener } from "../../parts/opens.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useRecordWords } from "../words/records.tsx";
import { type HoldingsCopies, holdingsCallNumber, holdingsLocationId } from "./narrowing.ts";
import { type FoundTitle, TitleFinder } from "./title-finder.tsx";

interface MoveItemsProps {
  instanceId: string;
  items: readonly Item[];
  all: readonly HoldingsCopies[];
  onDone: () => void;
}

export function MoveItems(moving: MoveItemsProps) {
  const own = useRecordWords().move;
  const may = useMay();
  if (!may("inventory.items.move.item.post")) return null;
  return (
    <DialogOpener>
      <Button>{own.items}</Button>
      <ItemsDialog {...moving} />
    </DialogOpener>
  );
}

const OTHER_TITLE = "-";

function ItemsDialog({ instanceId, items, all, onDone }: MoveItemsProps) {
  const own = useRecordWords().move;
  const send = useMoveRecords();
  const [to, setTo] = useState<string>();
  const [other, setOther] = useState<FoundTitle>();
  const [shelf, setShelf] = useState<string>();
  const shelves = useHoldingsChoices(other?.id);
  const isOther = to === OTHER_TITLE;
  const from = new Set(items.map(({ holdingsRecordId }) => holdingsRecordId));
  const here = all
    .filter(({ shelf: { id } }) => from.size > 1 || !from.has(id))
    .map((group) => ({
      id: group.shelf.id,
      name: [group.place, holdingsCallNumber(group.shelf)].filter(Boolean).join(" · "),
    }));
  const ids = items.map(({ id }) => id);
  return (
    <FormDialog
      title={own.itemsTitle(items.length)}
      submit={own.submit}
      onSubmit={async () => {
        const toHoldingsRecordId = isOther ? shelf : to;
        if (toHoldingsRecordId === undefined) throw createRefusal(422, own.whereTo);
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

interface MoveHoldingsProps {
  instanceId: string;
  shelves: readonly HoldingsCopies[];
  onDone: () => void;
}

export function MoveHoldings(moving: MoveHoldingsProps) {
  const own = useRecordWords().move;
  const may = useMay();
  if (!may("inventory.holdings.move.item.post")) return null;
  return (
    <DialogOpener>
      <Button>{own.holdings}</Button>
      <HoldingsDialog {...moving} />
    </DialogOpener>
  );
}

function HoldingsDialog({ instanceId, shelves, onDone }: MoveHoldingsProps) {
  const own = useRecordWords().move;
  const send = useMoveRecords();
  const [other, setOther] = useState<FoundTitle>();
  return (
    <FormDialog
      title={own.holdingsTitle(shelves.length)}
      submit={own.submit}
      onSubmit={async () => {
        if (other === undefined) throw createRefusal(422, own.whereTo);
        const holdingsRecordIds = shelves.map(({ shelf }) => shelf.id);
        await send("/inventory/holdings/move", { toInstanceId: other.id, holdingsRecordIds }, [instanceId, other.id]);
        announce(own.holdingsMoved(shelves.length, other.title));
      }}
      onDone={onDone}
    >
      <ul className="moved">
        {shelves.map(({ shelf, place }) => (
          <li key={shelf.id}>{[place, holdingsCallNumber(shelf)].filter(Boolean).join(" · ")}</li>
        ))}
      </ul>
      <TitleFinder label={own.otherTitle} except={[instanceId]} onChange={setOther} />
    </FormDialog>
  );
}

/** Sends the move. Records that the server could not find are not moved, and an error says how many. */
function useMoveRecords() {
  const own = useRecordWords().move;
  const client = useQueryClient();
  return async (path: string, body: object, titles: readonly (string | undefined)[]) => {
    const answer = await ask<{ nonUpdatedIds?: string[] }>(path, { method: "POST", body });
    const of = titles.filter((id) => id !== undefined);
    await Promise.all(of.map((id) => client.invalidateQueries({ queryKey: ["title", id] })));
    await Promise.all(["titles", "search", "item"].map((key) => client.invalidateQueries({ queryKey: [key] })));
    const lost = answer.nonUpdatedIds?.length ?? 0;
    if (lost > 0) throw createRefusal(422, own.notMoved(lost));
  };
}

export function useHoldingsChoices(instanceId: string | undefined): { id: string; name: string }[] {
  const places = useQuery(locations).data;
  const shelves = useQuery({ ...holdings(instanceId ?? ""), enabled: instanceId !== undefined }).data ?? [];
  return shelves.map((shelf) => {
    const place = places?.find(({ id }) => id === holdingsLocationId(shelf))?.name;
    return { id: shelf.id, name: [place, holdingsCallNumber(shelf)].filter(Boolean).join(" · ") };
  });
}
