/** The row of one scan at check-out: waiting for the server, checked out with its due date, or refused with advice. */

import { memo } from "react";
import type { Loan } from "../api/records.ts";
import { UndoButton } from "../loans/undo.tsx";
import { DueDateReasonsButton } from "../loans/why.tsx";
import { differsFromExpected } from "../offline/expected.ts";
import { CallNumber, Code } from "../parts/code.tsx";
import { Icon } from "../parts/icons.tsx";
import { useScanMeasure } from "../scanning/measure.ts";
import { PendingScan } from "../scanning/pending.tsx";
import { isPending } from "../scanning/queue.ts";
import { connection } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { ExpectedDue } from "./expected.tsx";
import { RefusedScan } from "./not-lent.tsx";
import { type CheckOutScan, checkOuts } from "./session.ts";

/** Rendered again only when its own scan changes, so that a long session stays as fast as a short one. */
export const ScanRow = memo(function Row({ scan }: { scan: CheckOutScan }) {
  const { state } = scan;
  useScanMeasure(scan.key, !isPending(scan));
  return (
    <li className={`row ${state.is}`}>
      {state.is === "done" || state.is === "undone" ? (
        <CheckedOutItem scan={scan} loan={state.answer} undone={state.is === "undone"} />
      ) : state.is === "refused" ? (
        <RefusedScan scan={scan} refusals={state.refusals} />
      ) : (
        <UnsentScan scan={scan} state={state.is} />
      )}
    </li>
  );
});

function UnsentScan({ scan, state }: { scan: CheckOutScan; state: CheckOutScan["state"]["is"] }) {
  const { up } = connection.use();
  return (
    <>
      <PendingScan barcode={scan.barcode} state={state} />
      {!up && <ExpectedDue scan={scan} />}
    </>
  );
}

function CheckedOutItem({ scan, loan, undone }: { scan: CheckOutScan; loan: Loan; undone: boolean }) {
  const words = useWords();
  const formats = useFormats();
  const title = loan.item?.title ?? scan.barcode;
  const author = loan.item?.contributors?.[0]?.name;
  return (
    <>
      <p className="what">
        <strong>{title}</strong>
        <small>
          <bdi>{author}</bdi>
          {author && loan.item?.callNumber && " · "}
          <CallNumber>{loan.item?.callNumber}</CallNumber> <Code>{scan.barcode}</Code>
        </small>
      </p>
      <p className="due">
        <Icon name={undone ? "undone" : "done"} />
        {undone ? words.checkOut.undone : words.checkOut.due(formats.due(loan.dueDate))}
        {!undone && scan.told && differsFromExpected(scan.told, loan.dueDate) && (
          <small>{words.checkOut.toldOtherwise(formats.due(scan.told))}</small>
        )}
      </p>
      {!undone && (
        <div className="actions">
          <DueDateReasonsButton loan={loan} title={title} />
          <UndoButton
            loanId={loan.id}
            title={title}
            onUndone={() => checkOuts.settle(scan.key, { is: "undone", answer: loan })}
          />
        </div>
      )}
    </>
  );
}
