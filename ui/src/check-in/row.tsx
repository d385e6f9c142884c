/** One returned item: where it goes, whose it was, what is owed, and the slip that goes with it. */

import { memo } from "react";
import { Link } from "wouter";
import type { Refusal } from "../api/http.ts";
import type { CheckedIn } from "../api/records.ts";
import { Undo } from "../loans/undo.tsx";
import { Button } from "../parts/button.tsx";
import { CallNumber, Code } from "../parts/code.tsx";
import { Icon } from "../parts/icons.tsx";
import { borrowerName } from "../parts/portrait.tsx";
import { Reasons } from "../parts/states.tsx";
import { refusalTexts } from "../refusals/texts.ts";
import { useAnswerMeasured } from "../scanning/measure.ts";
import { Pending } from "../scanning/pending.tsx";
import { isPending } from "../scanning/queue.ts";
import { useWords } from "../words/index.tsx";
import { destinationInWords } from "./destination.ts";
import { Late } from "./late.tsx";
import { type Destination, destination, RESOLUTIONS, type Returned, returning } from "./session.ts";
import { SlipButton } from "./slip.tsx";

/** Drawn again only when its own scan has changed: a high pile answers as quickly as a low one. */
export const Row = memo(function Row({ scan }: { scan: Returned }) {
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
});

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
          <CallNumber>{item?.callNumber}</CallNumber> <Code>{scan.barcode}</Code>
        </small>
        {loan && (
          <small>
            <Link href={`/patrons/${loan.userId}`}>{words.checkIn.from(borrowerName(loan))}</Link>
          </small>
        )}
        {inHouseUse && <small>{words.checkIn.inHouse}</small>}
      </div>
      {undone ? <p className="due">{words.checkOut.undone}</p> : <Goes goes={goes} />}
      {!undone && (
        <div className="actions">
          <SlipButton answer={answer} goes={goes} fresh={isFresh(scan)} />
          {loan && (
            <Undo
              loanId={loan.id}
              title={title}
              onUndone={() => returning.settle(scan.key, { is: "undone", answer })}
            />
          )}
        </div>
      )}
      {/* A return that was taken back owes nothing: its fine went with it. */}
      {loan && !undone && <Late loan={loan} fresh={isFresh(scan)} />}
    </li>
  );
}

/** The shelf is the usual place and needs no attention; every other one is a bar across the row. */
function Goes({ goes }: { goes: Destination }) {
  const words = useWords();
  return (
    <p className={goes.is === "shelf" ? "due goes shelf" : `goes signal ${goes.is}`}>
      <Icon name={goes.is} />
      {destinationInWords(goes, words)}
    </p>
  );
}

/** Just answered, and not for the second time in the page. */
const isFresh = ({ at }: Returned) => Date.now() - Date.parse(at) < 60_000;

function NotBack({ scan, refusals }: { scan: Returned; refusals: Refusal[] }) {
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
