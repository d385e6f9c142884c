/** Returning items without a card: shows the title but no name, since anybody may have borrowed the item. */

import { ask } from "../api/http.ts";
import type { CheckInResult } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { ScanField } from "../scanning/scan-field.tsx";
import { workplace } from "../shell/session.ts";
import { ScanAnswerRow } from "./answered.tsx";
import { type SelfScan, useScansInTurn } from "./in-turn.ts";
import { useSelfWords } from "./words/index.tsx";

export function ReturnsStage({ onEnd }: { onEnd: () => void }) {
  const words = useSelfWords();
  const { lines, add, isWaiting } = useScansInTurn((itemBarcode) =>
    ask<CheckInResult>("/circulation/check-in-by-barcode", {
      method: "POST",
      body: { itemBarcode, servicePointId: workplace.get().servicePoint, checkInDate: new Date().toISOString() },
    }),
  );
  return (
    <section className="stage" aria-label={words.returnItems}>
      <h1>{words.returnItems}</h1>
      <ScanField
        label={words.scanReturns}
        submit={words.giveBack}
        help={words.itemHelp}
        onScan={add}
        onEscape={onEnd}
      />
      <ul className="rows">
        {lines.map((line) => (
          <ReturnRow key={line.key} line={line} />
        ))}
      </ul>
      <div className="session-end">
        <Button className="big" kind="primary" isDisabled={isWaiting} onPress={onEnd}>
          {words.finish}
        </Button>
      </div>
    </section>
  );
}

function ReturnRow({ line: { barcode, answer, error } }: { line: SelfScan<CheckInResult> }) {
  const words = useSelfWords();
  // Staff have to take items for the hold shelf or for another library.
  const isForShelf = answer?.item?.status?.name === "Available";
  const said = answer
    ? isForShelf
      ? words.returned
      : words.returnedToDesk
    : error === undefined
      ? ""
      : words.notReturned;
  return (
    <ScanAnswerRow
      title={answer?.item?.title ?? barcode}
      message={said}
      isRefused={error !== undefined}
      icon={isForShelf ? "done" : "hold"}
    />
  );
}
