/** The actions on the ticked items or holdings. */

import type { Item } from "../../api/inventory.ts";
import { Button } from "../../parts/button.tsx";
import { PrintLabels } from "../labels/dialog.tsx";
import { useRecordWords } from "../words/records.tsx";
import { MoveHoldings, MoveItems } from "./move.tsx";
import type { HoldingsCopies } from "./narrowing.ts";

interface Props {
  instanceId: string;
  items: readonly Item[];
  shelves: readonly HoldingsCopies[];
  all: readonly HoldingsCopies[];
  onClear: () => void;
}

export function TickedActions({ instanceId, items, shelves, all, onClear }: Props) {
  const own = useRecordWords().table;
  if (items.length + shelves.length === 0) return null;
  return (
    <section className="chosen-bar" aria-label={own.chosenBar}>
      <p role="status">{own.chosen(items.length, shelves.length)}</p>
      <div className="buttons">
        {items.length > 0 && <MoveItems instanceId={instanceId} items={items} all={all} onDone={onClear} />}
        {items.length > 0 && <PrintLabels items={items} />}
        {shelves.length > 0 && <MoveHoldings instanceId={instanceId} shelves={shelves} onDone={onClear} />}
        <Button kind="quiet" onPress={onClear}>
          {own.clear}
        </Button>
      </div>
    </section>
  );
}
