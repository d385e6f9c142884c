/** Others have saved the record meanwhile: both are shown, and one of them is gone on with. */

import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { compared, linesOf } from "./lines.ts";
import { Lines } from "./plain.tsx";
import { type Draft, fieldsOf, type QuickMarc } from "./record.ts";
import { useMarcWords } from "./words/index.tsx";

interface Props {
  theirs: QuickMarc;
  mine: Draft;
  onTake: () => void;
  onKeep: () => void;
  onClose: () => void;
}

export function Conflict({ theirs, mine, onTake, onKeep, onClose }: Props) {
  const own = useMarcWords().conflict;
  const stored = linesOf(theirs);
  const here = linesOf({ leader: mine.leader, fields: fieldsOf(mine.rows) });
  // 005 says when it was saved: it differs always.
  const marks = (lines: typeof stored, others: typeof stored) =>
    compared(lines, others).map(({ line, isShared }) => !isShared && line.tag !== "005");
  return (
    <Dialog title={own.title} isOpen onClose={onClose}>
      {() => (
        <div className="marc-conflict">
          <p>{own.help}</p>
          <section>
            <h3>{own.theirs}</h3>
            <Lines lines={stored} label={own.theirs} marked={marks(stored, here)} />
          </section>
          <section>
            <h3>{own.mine}</h3>
            <Lines lines={here} label={own.mine} marked={marks(here, stored)} />
          </section>
          <div className="buttons">
            <Button onPress={onTake}>{own.take}</Button>
            <Button kind="danger" onPress={onKeep}>
              {own.keep}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
