/** The row of one scanned item: waiting for the server, checked out with its due date, or refused with what would help. */

import { memo } from "react";
import type { Loan } from "../api/records.ts";
import { Undo } from "../loans/undo.tsx";
import { Why } from "../loans/why.tsx";
import { differs } from "../offline/expected.ts";
import { CallNumber, Code } from "../parts/code.tsx";
import { Icon } from "../parts/icons.tsx";
import { useAnswerMeasured } from "../scanning/measure.ts";
import { Pending } from "../scanning/pending.tsx";
import { isPending } from "../scanning/queue.ts";
import { connection } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { ExpectedDue } from "./expected.tsx";
import { NotLent } from "./not-lent.tsx";
import { type Lending, lending } from "./session.ts";

/** Drawn again only when its own scan has changed: a long session answers as quickly as a short one. */
export const Row = memo(function Row({ scan }: { scan: Lending }) {
  const { state } = scan;
  useAnswerMeasured(scan.key, !isPending(scan));
  return (
    <li className={`row ${state.is}`}>
      {state.is === "done" || state.is === "undone" ? (
        <Lent scan={scan} loan={state.answer} undone={state.is === "undone"} />
      ) : state.is === "refused" ? (
        <NotLent scan={scan} refusals={state.refusals} />
      ) : (
        <NotSent scan={scan} state={state.is} />
      )}
    </li>
  );
});

function NotSent({ scan, state }: { scan: Lending; state: Lending["state"]["is"] }) {
  const { up } = connection.use();
  return (
    <>
      <Pending barcode={scan.barcode} state={state} />
      {!up && <ExpectedDue scan={scan} />}
    </>
  );
}

function Lent({ scan, loan, undone }: { scan: Lending; loan: Loan; undone: boolean }) {
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
        {!undone && scan.told && differs(scan.told, loan.dueDate) && (
          <small>{words.checkOut.toldOtherwise(formats.due(scan.told))}</small>
        )}
      </p>
      {!undone && (
        <div className="actions">
          <Why loan={loan} title={title} />
          <Undo
            loanId={loan.id}
            title={title}
            onUndone={() => lending.settle(scan.key, { is: "undone", answer: loan })}
          />
        </div>
      )}
    </>
  );
}
