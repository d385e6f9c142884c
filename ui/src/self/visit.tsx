/** A patron at the machine: what they borrow now, what they have, and the end. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { ask } from "../api/http.ts";
import { openAccounts, openRequests } from "../api/patrons.ts";
import type { Loan, User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icons.tsx";
import { nameOf } from "../parts/portrait.tsx";
import { ScanField } from "../scanning/scan-field.tsx";
import { place, useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { Answered } from "./answered.tsx";
import { type Line, useInTurn } from "./in-turn.ts";
import { Mine } from "./mine.tsx";
import { whyNot } from "./reasons.ts";
import { Receipts } from "./receipts.tsx";
import { useSelfWords } from "./words/index.tsx";

export function Visit({ patron, onEnd }: { patron: User; onEnd: () => void }) {
  const words = useSelfWords();
  const client = useQueryClient();
  const { lines, add, isWaiting, allSent } = useInTurn(async (itemBarcode) => {
    const body = { itemBarcode, userBarcode: patron.barcode, servicePointId: place.get().servicePoint };
    const loan = await ask<Loan>("/circulation/check-out-by-barcode", { method: "POST", body });
    void client.invalidateQueries({ queryKey: ["patron", patron.id, "loans"] });
    return loan;
  });
  const lent = lines.flatMap(({ answer }) => answer ?? []);
  useEndOfSession(patron.id, lent.length, allSent);
  return (
    <section className="stage" aria-label={nameOf(patron)}>
      <h1>{words.hello(nameOf(patron))}</h1>
      <Told patron={patron} />
      <ScanField label={words.scanItems} submit={words.borrow} help={words.itemHelp} onScan={add} onEscape={onEnd} />
      {lines.length > 0 && <Lines lines={lines} patron={patron} />}
      <div className="session-end">
        {lent.length > 0 && <Receipts patron={patron} loans={lent} />}
        <Button className="big" kind="primary" isDisabled={isWaiting} onPress={onEnd}>
          {words.finish}
        </Button>
      </div>
      <Mine patron={patron} />
    </section>
  );
}

/** However the visit ends, by the button or by the clock: notices that wait for its end are sent once the last item is lent. */
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

/** What they should know: fees, and what waits for them. */
function Told({ patron: { id } }: { patron: User }) {
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

function Lines({ lines, patron }: { lines: Line<Loan>[]; patron: User }) {
  const words = useSelfWords();
  return (
    <ul className="rows" aria-label={words.borrowed}>
      {lines.map((line) => (
        <OneLine key={line.key} line={line} patron={patron} />
      ))}
    </ul>
  );
}

function OneLine({ line: { barcode, answer, error }, patron }: { line: Line<Loan>; patron: User }) {
  const words = useSelfWords();
  const formats = useFormats();
  const said = answer
    ? words.due(formats.due(answer.dueDate))
    : error === undefined
      ? ""
      : `${words.notBorrowed}. ${whyNot(error, patron, words)}`;
  return <Answered title={answer?.item?.title ?? barcode} said={said} isRefused={error !== undefined} icon="done" />;
}
