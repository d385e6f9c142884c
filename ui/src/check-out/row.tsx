/** The row of one scanned item: waiting for the server, checked out with its due date, or refused with what would help. */

import { useMutation } from "@tanstack/react-query";
import type { Refusal } from "../api/http.ts";
import type { Loan } from "../api/records.ts";
import { Override } from "../loans/override.tsx";
import { helpsFor, overridable } from "../loans/refusal-words.ts";
import { Undo } from "../loans/undo.tsx";
import { Why } from "../loans/why.tsx";
import { differs } from "../offline/expected.ts";
import { Button } from "../parts/button.tsx";
import { refusalTexts } from "../parts/known-refusals.ts";
import { Opens } from "../parts/opens.tsx";
import { borrowerName } from "../parts/portrait.tsx";
import { Reasons, Trouble } from "../parts/states.tsx";
import { useAnswerMeasured } from "../scanning/measure.ts";
import { Pending } from "../scanning/pending.tsx";
import { isPending } from "../scanning/queue.ts";
import { connection, useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { ExpectedDue } from "./expected.tsx";
import { useBorrower, useRefusedItem } from "./refused.ts";
import { checkInFirst, type Lending, lending } from "./session.ts";

export function Row({ scan }: { scan: Lending }) {
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
}

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
  return (
    <>
      <p className="what">
        <strong>{title}</strong>
        <small>
          {[loan.item?.contributors?.[0]?.name, loan.item?.callNumber].filter(Boolean).join(" · ")}{" "}
          <span className="code">{scan.barcode}</span>
        </small>
      </p>
      <p className="due">
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

function NotLent({ scan, refusals }: { scan: Lending; refusals: Refusal[] }) {
  const words = useWords();
  const formats = useFormats();
  const may = useMay();
  const override = overridable(refusals);
  const first = useMutation({ mutationFn: () => checkInFirst(scan) });
  const helps = helpsFor(refusals, useBorrower(scan));
  const { title, loan, isPending } = useRefusedItem(scan);
  const isOut = helps.includes("alreadyOut") && !isPending;
  // Lent by somebody else after it was scanned here: that loan is not over.
  const lentSince = isOut && loan && Date.parse(loan.loanDate) > Date.parse(scan.at);
  const checksIn = isOut && !lentSince && may("circulation.check-in-by-barcode.post");
  return (
    <>
      <div className="what">
        <strong>{words.checkOut.refused}</strong>
        <span>
          {title} <span className="code">{scan.barcode}</span>
        </span>
        <Reasons said={refusalTexts(refusals, words)} />
        {helps
          .filter((help) => help !== "alreadyOut" || (isOut && !lentSince))
          .map((help) => (
            <small key={help}>{words.help[help]}</small>
          ))}
        {lentSince && (
          <small>{words.checkOut.lentSince(formats.moment(loan.loanDate), borrowerName(loan) || words.unknown)}</small>
        )}
        {override && !override.permitted && <small>{words.checkOut.overrideMissing}</small>}
      </div>
      <div className="actions">
        {checksIn && (
          <Button isDisabled={first.isPending} onPress={() => first.mutate()}>
            {words.checkOut.checkInFirst}
          </Button>
        )}
        {override?.permitted && (
          <Opens>
            <Button>{words.checkOut.override}</Button>
            <Override
              title={words.checkOut.overrideTitle(scan.barcode)}
              submit={words.checkOut.override}
              blocks={override.blocks}
              onOverride={(overrideBlocks) => lending.again(scan.key, { ...scan.order, overrideBlocks })}
            />
          </Opens>
        )}
        <Button kind="quiet" onPress={() => lending.again(scan.key)}>
          {words.checkOut.retry}
        </Button>
        <Button
          kind="quiet"
          aria-label={`${words.checkOut.dismiss}: ${scan.barcode}`}
          onPress={() => lending.remove(scan.key)}
        >
          {words.remove}
        </Button>
      </div>
      {first.error && <Trouble error={first.error} />}
    </>
  );
}
