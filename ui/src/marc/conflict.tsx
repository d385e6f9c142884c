/** Somebody else has saved the record meanwhile: both versions are shown, and the user chooses one. */

import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { compareLines, linesOf } from "./lines.ts";
import { MarcLineTable } from "./plain.tsx";
import { type Draft, fieldsFromRows, type QuickMarc } from "./record.ts";
import { useMarcWords } from "./words/index.tsx";

interface Props {
  theirs: QuickMarc;
  mine: Draft;
  onTake: () => void;
  onKeep: () => void;
  onClose: () => void;
}

export function ConflictDialog({ theirs, mine, onTake, onKeep, onClose }: Props) {
  const own = useMarcWords().conflict;
  const stored = linesOf(theirs);
  const here = linesOf({ leader: mine.leader, fields: fieldsFromRows(mine.rows) });
  // Field 005 is the time of the last save, so it always differs.
  const marks = (lines: typeof stored, others: typeof stored) =>
    compareLines(lines, others).map(({ line, isShared }) => !isShared && line.tag !== "005");
  return (
    <Dialog title={own.title} isOpen onClose={onClose}>
      {() => (
        <div className="marc-conflict">
          <p>{own.help}</p>
          <section>
            <h3>{own.theirs}</h3>
            <MarcLineTable lines={stored} label={own.theirs} marked={marks(stored, here)} />
          </section>
          <section>
            <h3>{own.mine}</h3>
            <MarcLineTable lines={here} label={own.mine} marked={marks(here, stored)} />
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
