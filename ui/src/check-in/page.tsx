/** Check in: scan, and see where it goes. */

import { lazy, Suspense, useEffect } from "react";
import { Switch } from "react-aria-components/Switch";
import { Many, RefusedFile, Summary } from "../batches/lazy.tsx";
import { Button } from "../parts/button.tsx";
import { inOneLine, refusalTexts } from "../refusals/texts.ts";
import { isPending } from "../scanning/queue.ts";
import { ScanField } from "../scanning/scan-field.tsx";
import { WorthTrying } from "../shell/demo.tsx";
import { prefer, usePreferences } from "../shell/preferences.ts";
import { useWords } from "../words/index.tsx";
import { Backdate } from "./backdate.tsx";
import { destinationInWords } from "./destination.ts";
import { Row } from "./row.tsx";
import { destination, endPile, returning, takeBack, tellWith } from "./session.ts";

const ReturnReceipts = lazy(() => import("./receipts.tsx"));
const PastPile = lazy(async () => ({ default: (await import("./receipts.tsx")).PastPile }));

export default function CheckIn() {
  const words = useWords();
  const scans = returning.scans.use();
  const pending = scans.filter(isPending).length;
  const done = scans.filter(({ state }) => state.is === "done").length;
  const end = () => void (pending > 0 || endPile().catch(() => {}));
  useTold();
  return (
    <div className="desk-page">
      <h1 className="unseen">{words.pages.checkIn}</h1>
      <section className="work" aria-label={words.pages.checkIn}>
        <ScanField
          label={words.checkOut.item}
          submit={words.checkIn.submit}
          help={words.checkIn.help}
          onScan={takeBack}
          onEscape={end}
        />
        <div className="options-line">
          <Backdate />
          <Many title="inTitle" onScan={takeBack} />
          <PrintSlips />
        </div>
        {scans.length === 0 ? (
          <>
            <p className="empty">{words.checkIn.empty}</p>
            <Suspense fallback={null}>
              <PastPile />
            </Suspense>
            <WorthTrying what="toReturn" onScan={takeBack} />
          </>
        ) : (
          <>
            <ol className="rows" reversed>
              {scans.toReversed().map((scan) => (
                <Row key={scan.key} scan={scan} />
              ))}
            </ol>
            <div className="session-end">
              <p>
                {words.checkIn.pile(done)}
                {pending > 0 && ` · ${words.checkOut.unsent(pending)}`}
              </p>
              <RefusedFile scans={scans} />
              <Summary scans={scans} />
              <Suspense fallback={null}>
                <ReturnReceipts scans={scans} />
              </Suspense>
              <Button onPress={end} isDisabled={pending > 0}>
                {words.checkIn.end}
              </Button>
            </div>
          </>
        )}
      </section>
    </div>
  );
}

function PrintSlips() {
  const words = useWords();
  const { printSlips } = usePreferences();
  return (
    <Switch className="switch" isSelected={printSlips} onChange={(printSlips) => prefer({ printSlips })}>
      <span className="track" aria-hidden="true" />
      {words.checkIn.printSlips}
    </Switch>
  );
}

function useTold(): void {
  const words = useWords();
  useEffect(() => {
    tellWith(({ barcode, state }) => {
      if (state.is === "done") {
        return `${state.answer.item?.title ?? barcode}. ${destinationInWords(destination(state.answer), words)}`;
      }
      const why = state.is === "refused" ? inOneLine(refusalTexts(state.refusals, words)) : "";
      return words.checkIn.saidRefused(barcode, why);
    });
  }, [words]);
}
