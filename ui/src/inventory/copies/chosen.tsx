/** What is done with the items or holdings that are ticked. */

import type { Item } from "../../api/inventory.ts";
import { Button } from "../../parts/button.tsx";
import { PrintLabels } from "../labels/dialog.tsx";
import { useRecordWords } from "../words/records.tsx";
import { MoveHoldings, MoveItems } from "./move.tsx";
import type { Group } from "./narrowing.ts";

interface Props {
  instanceId: string;
  items: readonly Item[];
  shelves: readonly Group[];
  all: readonly Group[];
  onClear: () => void;
}

export function Chosen({ instanceId, items, shelves, all, onClear }: Props) {
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
