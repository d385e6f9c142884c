/** The check-in page: returned items are scanned, and each row shows where the item goes. */

import { Suspense, useEffect } from "react";
import { Switch } from "react-aria-components/Switch";
import { ManyBarcodes, PileSummary, RefusedFile } from "../batches/lazy.tsx";
import { Button } from "../parts/button.tsx";
import { later } from "../parts/later.ts";
import { joinReasons, refusalTexts } from "../refusals/texts.ts";
import { isPending } from "../scanning/queue.ts";
import { ScanField } from "../scanning/scan-field.tsx";
import { DemoBarcodes } from "../shell/demo.tsx";
import { changePreferences, usePreferences } from "../shell/preferences.ts";
import { useWords } from "../words/index.tsx";
import { Backdate } from "./backdate.tsx";
import { destinationText } from "./destination.ts";
import { ReturnRow } from "./row.tsx";
import { addReturn, checkIns, endPile, findDestination, setResultDescriber } from "./session.ts";

const ReturnReceipts = later(() => import("./receipts.tsx"));
const PastPile = later(async () => ({ default: (await import("./receipts.tsx")).PastPile }));

export default function CheckInPage() {
  const words = useWords();
  const scans = checkIns.scans.use();
  const pending = scans.filter(isPending).length;
  const done = scans.filter(({ state }) => state.is === "done").length;
  const end = () => void (pending > 0 || endPile().catch(() => {}));
  useScanAnnouncements();
  return (
    <div className="desk-page">
      <h1 className="unseen">{words.pages.checkIn}</h1>
      <section className="work" aria-label={words.pages.checkIn}>
        <ScanField
          label={words.checkOut.item}
          submit={words.checkIn.submit}
          help={words.checkIn.help}
          onScan={addReturn}
          onEscape={end}
        />
        <div className="options-line">
          <Backdate />
          <ManyBarcodes title="inTitle" onScan={addReturn} />
          <PrintSlipsSwitch />
        </div>
        {scans.length === 0 ? (
          <>
            <p className="empty">{words.checkIn.empty}</p>
            <Suspense fallback={null}>
              <PastPile />
            </Suspense>
            <DemoBarcodes what="toReturn" onScan={addReturn} />
          </>
        ) : (
          <>
            <ol className="rows" reversed>
              {scans.toReversed().map((scan) => (
                <ReturnRow key={scan.key} scan={scan} />
              ))}
            </ol>
            <div className="session-end">
              <p>
                {words.checkIn.pile(done)}
                {pending > 0 && ` · ${words.checkOut.unsent(pending)}`}
              </p>
              <RefusedFile scans={scans} />
              <PileSummary scans={scans} />
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

function PrintSlipsSwitch() {
  const words = useWords();
  const { printSlips } = usePreferences();
  return (
    <Switch className="switch" isSelected={printSlips} onChange={(printSlips) => changePreferences({ printSlips })}>
      <span className="track" aria-hidden="true" />
      {words.checkIn.printSlips}
    </Switch>
  );
}

function useScanAnnouncements(): void {
  const words = useWords();
  useEffect(() => {
    setResultDescriber(({ barcode, state }) => {
      if (state.is === "done") {
        return `${state.answer.item?.title ?? barcode}. ${destinationText(findDestination(state.answer), words)}`;
      }
      const why = state.is === "refused" ? joinReasons(refusalTexts(state.refusals, words)) : "";
      return words.checkIn.saidRefused(barcode, why);
    });
  }, [words]);
}
