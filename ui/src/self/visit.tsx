/** The visit of a patron at the self-check machine: what they borrow, and what they have on loan. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { ask } from "../api/http.ts";
import { openAccounts, openRequests } from "../api/patrons.ts";
import type { Loan, User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icons.tsx";
import { patronName } from "../parts/portrait.tsx";
import { ScanField } from "../scanning/scan-field.tsx";
import { useMay, workplace } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { ScanAnswerRow } from "./answered.tsx";
import { type SelfScan, useScansInTurn } from "./in-turn.ts";
import { OwnLoans } from "./mine.tsx";
import { refusalText } from "./reasons.ts";
import { VisitReceiptButtons } from "./receipts.tsx";
import { useSelfWords } from "./words/index.tsx";

export function VisitStage({ patron, onEnd }: { patron: User; onEnd: () => void }) {
  const words = useSelfWords();
  const client = useQueryClient();
  const { lines, add, isWaiting, allSent } = useScansInTurn(async (itemBarcode) => {
    const body = { itemBarcode, userBarcode: patron.barcode, servicePointId: workplace.get().servicePoint };
    const loan = await ask<Loan>("/circulation/check-out-by-barcode", { method: "POST", body });
    void client.invalidateQueries({ queryKey: ["patron", patron.id, "loans"] });
    return loan;
  });
  const lent = lines.flatMap(({ answer }) => answer ?? []);
  useEndOfSession(patron.id, lent.length, allSent);
  return (
    <section className="stage" aria-label={patronName(patron)}>
      <h1>{words.hello(patronName(patron))}</h1>
      <FeesAndPickups patron={patron} />
      <ScanField label={words.scanItems} submit={words.borrow} help={words.itemHelp} onScan={add} onEscape={onEnd} />
      {lines.length > 0 && <BorrowedList lines={lines} patron={patron} />}
      <div className="session-end">
        {lent.length > 0 && <VisitReceiptButtons patron={patron} loans={lent} />}
        <Button className="big" kind="primary" isDisabled={isWaiting} onPress={onEnd}>
          {words.finish}
        </Button>
      </div>
      <OwnLoans patron={patron} />
    </section>
  );
}

/**
 * However the visit ends, by the button or by the clock: patron notices that wait for its end are sent after the last
 * check-out.
 */
function useEndOfSession(patronId: string, lent: number, allSent: () => Promise<void>): void {
  const latest = useRef({ lent, allSent });
  latest.current = { lent, allSent };
  useEffect(
    () => () => {
      void latest.current.allSent().then(() => {
        if (latest.current.lent === 0) return;
        const body = { endSessions: [{ patronId, actionType: "Check-out" }] };
        return ask("/circulation/end-patron-action-session", { method: "POST", body }).catch(() => {});
      });
    },
    [patronId],
  );
}

/** The fees/fines that the patron owes, and the items on the hold shelf for them. */
function FeesAndPickups({ patron: { id } }: { patron: User }) {
  const words = useSelfWords();
  const formats = useFormats();
  const may = useMay();
  const accounts = useQuery({ ...openAccounts(id), enabled: may("accounts.collection.get") });
  const requests = useQuery({ ...openRequests(id), enabled: may("circulation.requests.collection.get") });
  const owed = accounts.data?.reduce((sum, { remaining }) => sum + remaining, 0) ?? 0;
  const waiting = requests.data?.filter(({ status }) => status === "Open - Awaiting pickup").length ?? 0;
  return (
    <>
      {owed > 0 && (
        <p className="signal fee">
          <Icon name="fee" />
          {words.owes(formats.money(owed))}
        </p>
      )}
      {waiting > 0 && (
        <p className="signal hold">
          <Icon name="hold" />
          {words.waiting(waiting)}
        </p>
      )}
    </>
  );
}

function BorrowedList({ lines, patron }: { lines: SelfScan<Loan>[]; patron: User }) {
  const words = useSelfWords();
  return (
    <ul className="rows" aria-label={words.borrowed}>
      {lines.map((line) => (
        <BorrowedRow key={line.key} line={line} patron={patron} />
      ))}
    </ul>
  );
}

function BorrowedRow({ line: { barcode, answer, error }, patron }: { line: SelfScan<Loan>; patron: User }) {
  const words = useSelfWords();
  const formats = useFormats();
  const said = answer
    ? words.due(formats.due(answer.dueDate))
    : error === undefined
      ? ""
      : `${words.notBorrowed}. ${refusalText(error, patron, words)}`;
  return (
    <ScanAnswerRow title={answer?.item?.title ?? barcode} message={said} isRefused={error !== undefined} icon="done" />
  );
}
