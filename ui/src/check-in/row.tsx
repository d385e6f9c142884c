/** One returned item: where it goes, whose it was, what is owed, and the slip that goes with it. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Refusal } from "../api/http.ts";
import type { CheckedIn, Loan } from "../api/records.ts";
import { Undo } from "../loans/undo.tsx";
import { Button } from "../parts/button.tsx";
import { refusalTexts } from "../parts/known-refusals.ts";
import { borrowerName } from "../parts/portrait.tsx";
import { Reasons } from "../parts/states.tsx";
import { useAnswerMeasured } from "../scanning/measure.ts";
import { Pending } from "../scanning/pending.tsx";
import { isPending } from "../scanning/queue.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { destinationInWords } from "./destination.ts";
import { destination, owedFor, RESOLUTIONS, type Returned, returning } from "./session.ts";
import { SlipButton } from "./slip.tsx";

export function Row({ scan }: { scan: Returned }) {
  const { state } = scan;
  useAnswerMeasured(scan.key, !isPending(scan));
  if (state.is === "done" || state.is === "undone") return <Back scan={scan} answer={state.answer} />;
  return (
    <li className={`row ${state.is}`}>
      {state.is === "refused" ? (
        <NotBack scan={scan} refusals={state.refusals} />
      ) : (
        <Pending barcode={scan.barcode} state={state.is} />
      )}
    </li>
  );
}

function Back({ scan, answer }: { scan: Returned; answer: CheckedIn }) {
  const words = useWords();
  const { item, loan, inHouseUse } = answer;
  const goes = destination(answer);
  const undone = scan.state.is === "undone";
  const title = item?.title ?? scan.barcode;
  return (
    <li className={`row ${scan.state.is} to-${goes.is}`}>
      <div className="what">
        <strong>{title}</strong>
        <small>
          {item?.callNumber} <span className="code">{scan.barcode}</span>
        </small>
        {loan && <Borrower loan={loan} undone={undone} />}
        {inHouseUse && <small>{words.checkIn.inHouse}</small>}
      </div>
      <p className="due">{undone ? words.checkOut.undone : destinationInWords(goes, words)}</p>
      {!undone && (
        <div className="actions">
          <SlipButton answer={answer} goes={goes} fresh={Date.now() - Date.parse(scan.at) < 60_000} />
          {loan && (
            <Undo
              loanId={loan.id}
              title={title}
              onUndone={() => returning.settle(scan.key, { is: "undone", answer })}
            />
          )}
        </div>
      )}
    </li>
  );
}

function Borrower({ loan, undone }: { loan: Loan; undone: boolean }) {
  const words = useWords();
  const formats = useFormats();
  // A return that was taken back owes nothing: its fine went with it.
  const late = !undone && Date.parse(loan.returnDate ?? "") > Date.parse(loan.dueDate);
  const owed = useQuery({
    queryKey: ["loan", loan.id, "owed"],
    enabled: late,
    queryFn: () => owedFor(loan.id),
  }).data;
  return (
    <>
      <small>
        <Link href={`/patrons/${loan.userId}`}>{words.checkIn.from(borrowerName(loan))}</Link>
      </small>
      {late && (
        <small className="warn">
          {words.checkIn.late(formats.due(loan.dueDate))}
          {owed !== undefined && owed > 0 && (
            <>
              {" · "}
              <Link href={`/patrons/${loan.userId}?show=fees`}>{words.patron.owes(formats.money(owed))}</Link>
            </>
          )}
        </small>
      )}
    </>
  );
}

function NotBack({ scan, refusals }: { scan: Returned; refusals: Refusal[] }) {
  const words = useWords();
  const claimed = refusals.some(({ parameters }) => parameters?.some(({ key }) => key === "claimedReturnedResolution"));
  return (
    <>
      <div className="what">
        <strong>{words.checkIn.refused}</strong> <span className="code">{scan.barcode}</span>
        <Reasons said={refusalTexts(refusals, words)} />
        <small>{claimed ? words.checkIn.claimed : words.help.unknownItem}</small>
      </div>
      <div className="actions">
        {claimed &&
          RESOLUTIONS.map((resolution) => (
            <Button
              key={resolution}
              onPress={() => returning.again(scan.key, { ...scan.order, claimedReturnedResolution: resolution })}
            >
              {words.checkIn.resolutions[resolution]}
            </Button>
          ))}
        {!claimed && (
          <Button kind="quiet" onPress={() => returning.again(scan.key)}>
            {words.checkOut.retry}
          </Button>
        )}
        <Button kind="quiet" aria-label={`${words.remove}: ${scan.barcode}`} onPress={() => returning.remove(scan.key)}>
          {words.remove}
        </Button>
      </div>
    </>
  );
}
