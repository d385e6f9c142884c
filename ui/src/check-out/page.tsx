/** The check-out page: first the patron's card is scanned, then the items, one after the other. */

import { useQueryClient } from "@tanstack/react-query";
import { memo, useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { deskSettings } from "../api/library.ts";
import { findPatrons } from "../api/patrons.ts";
import type { User } from "../api/records.ts";
import { joinReasons, refusalTexts } from "../refusals/texts.ts";
import { ScanField } from "../scanning/scan-field.tsx";
import { useScanningWords } from "../scanning/words/index.tsx";
import { DemoBarcodes } from "../shell/demo.tsx";
import { connection } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { CardQuestion } from "./card-question.tsx";
import { EndOfVisit } from "./end-of-visit.tsx";
import { useIdleTimeout } from "./idle.ts";
import { addScan, requestVisitEnd } from "./inbox.ts";
import { ScansOfPastVisits } from "./left-over.tsx";
import { PatronPanel } from "./patron-panel.tsx";
import { PatronScan } from "./patron-scan.tsx";
import { RemediesDialog } from "./remedies/button.tsx";
import { ScanRow } from "./row.tsx";
import { checkOuts, identifyPatron, setResultDescriber, startVisit, visit } from "./session.ts";

const REFRESH_DELAY_MS = 400;

export default function CheckOutPage() {
  const words = useWords();
  // Loaded with the page, so that no row has to wait for them later.
  useScanningWords();
  const { patron } = visit.use();
  // Text that is half typed when the patron is found is moved to the field for items.
  const typing = useState("");
  useScanAnnouncements();
  usePatronFromAddress();
  useIdleTimeout(deskSettings.use().idleMinutes, requestVisitEnd);
  return (
    <div className={patron ? "desk-page with-panel" : "desk-page"}>
      <h1 className="unseen">{words.pages.checkOut}</h1>
      {patron && <PatronPanel patron={patron} />}
      <RemediesDialog />
      <section
        className={patron ? "work" : "work alone"}
        aria-label={patron ? words.checkOut.scanItems : words.checkOut.scanPatron}
      >
        {!patron && <p className="invitation">{words.checkOut.scanPatron}</p>}
        <ScanField
          key={patron ? "item" : "card"}
          textState={typing}
          label={patron ? words.checkOut.item : words.patron.barcode}
          submit={patron ? words.checkOut.add : words.checkOut.start}
          help={patron ? words.checkOut.itemHelp : words.patron.help}
          onScan={addScan}
          onEscape={requestVisitEnd}
        />
        {patron ? <VisitInProgress patron={patron} /> : <PatronScan />}
      </section>
    </div>
  );
}

/** A component of its own, so that typing in the field renders only the field. */
const VisitInProgress = memo(function AtTheDesk({ patron }: { patron: User }) {
  const words = useWords();
  const client = useQueryClient();
  const { id, sponsor } = visit.use();
  const scans = checkOuts.scans.use().filter((scan) => scan.visit === id);
  const { up } = connection.use();
  useEffect(() => {
    if (up) void identifyPatron().catch(() => {});
  }, [up]);
  const settled = scans.filter(({ state }) => state.is === "done" || state.is === "undone").length;
  useEffect(() => {
    if (settled === 0) return;
    // The patron's loans have changed; the panel is updated when scanning pauses, so that it never delays the next
    // scan.
    const queryKey = ["patron", (sponsor ?? patron).id, "loans"];
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey }), REFRESH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [settled, client, patron, sponsor]);
  const rows = scans.filter(({ state }) => state.is !== "card").toReversed();
  return (
    <>
      {scans.map(
        (scan) =>
          scan.state.is === "card" && (
            <CardQuestion key={scan.key} scan={scan} owner={scan.state.owner} here={patron} />
          ),
      )}
      {rows.length === 0 ? (
        <p className="empty">{words.checkOut.scanItems}</p>
      ) : (
        <ol className="rows" reversed>
          {rows.map((scan) => (
            <ScanRow key={scan.key} scan={scan} />
          ))}
        </ol>
      )}
      <EndOfVisit scans={scans} onEnd={requestVisitEnd} />
      <ScansOfPastVisits />
      {scans.length === 0 && <DemoBarcodes what="toLend" onScan={addScan} />}
    </>
  );
});

/** Keeps the patron's barcode in the address, so that a reload or a link from another page finds them. */
function usePatronFromAddress(): void {
  const [address, setAddress] = useSearchParams();
  const { patron } = visit.use();
  const named = address.get("patron");
  useEffect(() => {
    const current = visit.get().patron?.barcode;
    if (named !== null && current === undefined) {
      let wanted = true;
      void findPatrons(named)
        .then(({ users: [found, other] }) => wanted && found?.barcode && other === undefined && startVisit(found))
        .catch(() => {});
      return () => {
        wanted = false;
      };
    }
  }, [named]);
  const barcode = patron?.barcode;
  useEffect(() => {
    if (barcode !== undefined) setAddress({ patron: barcode }, { replace: true });
    return () => {
      if (barcode !== undefined && visit.get().patron === undefined) setAddress({}, { replace: true });
    };
  }, [barcode, setAddress]);
}

/** Sets how results are announced, in the current language and time zone. */
function useScanAnnouncements(): void {
  const words = useWords();
  const formats = useFormats();
  useEffect(() => {
    setResultDescriber(({ barcode, state }) => {
      if (state.is === "done") {
        return words.checkOut.said(state.answer.item?.title ?? barcode, formats.due(state.answer.dueDate));
      }
      const why = state.is === "refused" ? joinReasons(refusalTexts(state.refusals, words)) : "";
      return words.checkOut.saidRefused(barcode, why);
    });
  }, [words, formats]);
}
