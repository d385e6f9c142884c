/** The row of one returned item: where it goes, who had it, what is owed, and the slip for it. */

import { memo } from "react";
import { Link } from "wouter";
import type { Refusal } from "../api/http.ts";
import type { CheckInResult } from "../api/records.ts";
import { UndoButton } from "../loans/undo.tsx";
import { Button } from "../parts/button.tsx";
import { CallNumber, Code } from "../parts/code.tsx";
import { Icon } from "../parts/icons.tsx";
import { borrowerName } from "../parts/portrait.tsx";
import { ReasonList } from "../parts/states.tsx";
import { refusalTexts } from "../refusals/texts.ts";
import { useScanMeasure } from "../scanning/measure.ts";
import { PendingScan } from "../scanning/pending.tsx";
import { isPending } from "../scanning/queue.ts";
import { useWords } from "../words/index.tsx";
import { destinationText } from "./destination.ts";
import { LateReturn } from "./late.tsx";
import {
  type CheckInScan,
  checkIns,
  type Destination,
  findDestination,
  isJustAnswered,
  RESOLUTIONS,
} from "./session.ts";
import { SlipButton } from "./slip.tsx";

/** Rendered again only when its own scan changes, so that a large pile stays as fast as a small one. */
export const ReturnRow = memo(function Row({ scan }: { scan: CheckInScan }) {
  const { state } = scan;
  useScanMeasure(scan.key, !isPending(scan));
  if (state.is === "done" || state.is === "undone") return <ReturnedItem scan={scan} answer={state.answer} />;
  return (
    <li className={`row ${state.is}`}>
      {state.is === "refused" ? (
        <RefusedReturn scan={scan} refusals={state.refusals} />
      ) : (
        <PendingScan barcode={scan.barcode} state={state.is} />
      )}
    </li>
  );
});

function ReturnedItem({ scan, answer }: { scan: CheckInScan; answer: CheckInResult }) {
  const words = useWords();
  const { item, loan, inHouseUse } = answer;
  const goes = findDestination(answer);
  const undone = scan.state.is === "undone";
  const title = item?.title ?? scan.barcode;
  return (
    <li className={`row ${scan.state.is} to-${goes.is}`}>
      <div className="what">
        <strong>{title}</strong>
        <small>
          <CallNumber>{item?.callNumber}</CallNumber> <Code>{scan.barcode}</Code>
        </small>
        {loan && (
          <small>
            <Link href={`/patrons/${loan.userId}`}>{words.checkIn.from(borrowerName(loan))}</Link>
          </small>
        )}
        {inHouseUse && <small>{words.checkIn.inHouse}</small>}
      </div>
      {undone ? <p className="due">{words.checkOut.undone}</p> : <DestinationSign goes={goes} />}
      {!undone && (
        <div className="actions">
          <SlipButton answer={answer} destination={goes} isNew={isJustAnswered(answer)} />
          {loan && (
            <UndoButton
              loanId={loan.id}
              title={title}
              onUndone={() => checkIns.settle(scan.key, { is: "undone", answer })}
            />
          )}
        </div>
      )}
      {/* A return that was taken back owes nothing: its fine went with it. */}
      {loan && !undone && <LateReturn loan={loan} isNew={isJustAnswered(answer)} />}
    </li>
  );
}

/** The shelf is the usual destination and needs no attention; every other one is a bar across the row. */
function DestinationSign({ goes }: { goes: Destination }) {
  const words = useWords();
  return (
    <p className={goes.is === "shelf" ? "due goes shelf" : `goes signal ${goes.is}`}>
      <Icon name={goes.is} />
      {destinationText(goes, words)}
    </p>
  );
}

function RefusedReturn({ scan, refusals }: { scan: CheckInScan; refusals: Refusal[] }) {
  const words = useWords();
  const claimed = refusals.some(({ parameters }) => parameters?.some(({ key }) => key === "claimedReturnedResolution"));
  return (
    <>
      <div className="what">
        <strong className="refusal">
          <Icon name="refused" />
          {words.checkIn.refused}
        </strong>
        <Code>{scan.barcode}</Code>
        <ReasonList said={refusalTexts(refusals, words)} />
        <small>{claimed ? words.checkIn.claimed : words.help.unknownItem}</small>
      </div>
      <div className="actions">
        {claimed &&
          RESOLUTIONS.map((resolution) => (
            <Button
              key={resolution}
              onPress={() => checkIns.resend(scan.key, { ...scan.order, claimedReturnedResolution: resolution })}
            >
              {words.checkIn.resolutions[resolution]}
            </Button>
          ))}
        {!claimed && (
          <Button kind="quiet" onPress={() => checkIns.resend(scan.key)}>
            {words.checkOut.retry}
          </Button>
        )}
        <Button kind="quiet" aria-label={`${words.remove}: ${scan.barcode}`} onPress={() => checkIns.remove(scan.key)}>
          {words.remove}
        </Button>
      </div>
    </>
  );
}
