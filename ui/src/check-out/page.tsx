/** Check out: the patron's card, then the items, one after the other, hands on the scanner. */

import { useQueryClient } from "@tanstack/react-query";
import { memo, useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { atTheDesk } from "../api/library.ts";
import { findPatrons } from "../api/patrons.ts";
import type { User } from "../api/records.ts";
import { inOneLine, refusalTexts } from "../refusals/texts.ts";
import { ScanField } from "../scanning/scan-field.tsx";
import { useScanningWords } from "../scanning/words/index.tsx";
import { WorthTrying } from "../shell/demo.tsx";
import { connection } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { CardQuestion } from "./card-question.tsx";
import { EndOfVisit } from "./end-of-visit.tsx";
import { useIdle } from "./idle.ts";
import { finish, scanned } from "./inbox.ts";
import { LeftOver } from "./left-over.tsx";
import { PatronPanel } from "./patron-panel.tsx";
import { PatronScan } from "./patron-scan.tsx";
import { RemediesDialog } from "./remedies/button.tsx";
import { Row } from "./row.tsx";
import { begin, lending, recognize, tellWith, visit } from "./session.ts";

const PAUSE_MS = 400;

export default function CheckOut() {
  const words = useWords();
  // Here, so that no row waits for them later.
  useScanningWords();
  const { patron } = visit.use();
  // Text that is half typed when the patron is found moves to the field for items.
  const typing = useState("");
  useTold();
  usePatronOfAddress();
  useIdle(atTheDesk.use().idleMinutes, finish);
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
          typing={typing}
          label={patron ? words.checkOut.item : words.patron.barcode}
          submit={patron ? words.checkOut.add : words.checkOut.start}
          help={patron ? words.checkOut.itemHelp : words.patron.help}
          onScan={scanned}
          onEscape={finish}
        />
        {patron ? <AtTheDesk patron={patron} /> : <PatronScan />}
      </section>
    </div>
  );
}

/** Apart from the field, so that a key that is typed there draws the field alone. */
const AtTheDesk = memo(function AtTheDesk({ patron }: { patron: User }) {
  const words = useWords();
  const client = useQueryClient();
  const { id, sponsor } = visit.use();
  const scans = lending.scans.use().filter((scan) => scan.visit === id);
  const { up } = connection.use();
  useEffect(() => {
    if (up) void recognize().catch(() => {});
  }, [up]);
  const settled = scans.filter(({ state }) => state.is === "done" || state.is === "undone").length;
  useEffect(() => {
    if (settled === 0) return;
    // What the patron has out has changed; their panel follows when the hand pauses, and never delays the next scan.
    const queryKey = ["patron", (sponsor ?? patron).id, "loans"];
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey }), PAUSE_MS);
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
            <Row key={scan.key} scan={scan} />
          ))}
        </ol>
      )}
      <EndOfVisit scans={scans} onEnd={finish} />
      <LeftOver />
      {scans.length === 0 && <WorthTrying what="toLend" onScan={scanned} />}
    </>
  );
});

/** The address names the patron, so that a reload or a link from elsewhere finds them. */
function usePatronOfAddress(): void {
  const [address, setAddress] = useSearchParams();
  const { patron } = visit.use();
  const named = address.get("patron");
  useEffect(() => {
    const current = visit.get().patron?.barcode;
    if (named !== null && current === undefined) {
      let wanted = true;
      void findPatrons(named)
        .then((found) => wanted && found.length === 1 && found[0]?.barcode && begin(found[0]))
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

/** Says results in the language and time zone that hold now. */
function useTold(): void {
  const words = useWords();
  const formats = useFormats();
  useEffect(() => {
    tellWith(({ barcode, state }) => {
      if (state.is === "done") {
        return words.checkOut.said(state.answer.item?.title ?? barcode, formats.due(state.answer.dueDate));
      }
      const why = state.is === "refused" ? inOneLine(refusalTexts(state.refusals, words)) : "";
      return words.checkOut.saidRefused(barcode, why);
    });
  }, [words, formats]);
}
