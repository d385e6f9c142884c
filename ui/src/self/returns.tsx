/** What somebody brings back, without a card: the title and no name, since it may have been out to anybody. */

import { ask } from "../api/http.ts";
import type { CheckedIn } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { ScanField } from "../scanning/scan-field.tsx";
import { place } from "../shell/session.ts";
import { Answered } from "./answered.tsx";
import { type Line, useInTurn } from "./in-turn.ts";
import { useSelfWords } from "./words/index.tsx";

export function Returns({ onEnd }: { onEnd: () => void }) {
  const words = useSelfWords();
  const { lines, add, isWaiting } = useInTurn((itemBarcode) =>
    ask<CheckedIn>("/circulation/check-in-by-barcode", {
      method: "POST",
      body: { itemBarcode, servicePointId: place.get().servicePoint, checkInDate: new Date().toISOString() },
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
          <OneLine key={line.key} line={line} />
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

function OneLine({ line: { barcode, answer, error } }: { line: Line<CheckedIn> }) {
  const words = useSelfWords();
  // What goes to the hold shelf or to another library is for staff to take away.
  const isForShelf = answer?.item?.status?.name === "Available";
  const said = answer
    ? isForShelf
      ? words.returned
      : words.returnedToDesk
    : error === undefined
      ? ""
      : words.notReturned;
  return (
    <Answered
      title={answer?.item?.title ?? barcode}
      said={said}
      isRefused={error !== undefined}
      icon={isForShelf ? "done" : "hold"}
    />
  );
}
