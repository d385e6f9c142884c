/** The end of a visit, and what the patron may want on paper. */

import type { Loan, User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { useMail, usePrint } from "../parts/paper.tsx";
import { nameOf } from "../parts/portrait.tsx";
import { ReceiptHead } from "../parts/receipt-head.tsx";
import { Trouble } from "../parts/states.tsx";
import { isPending } from "../scanning/queue.ts";
import { useMay } from "../shell/session.ts";
import { useLibraryName } from "../shell/shell.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { inbox } from "./inbox.ts";
import { type Lending, visit } from "./session.ts";

export function EndOfVisit({ scans, onEnd }: { scans: Lending[]; onEnd: () => void }) {
  const words = useWords();
  const isEnding = inbox.use().some((entry) => "end" in entry);
  const { patron } = visit.use();
  const loans = scans.flatMap(({ state }) => (state.is === "done" ? [state.answer] : []));
  const pending = scans.filter((scan) => isPending(scan) && scan.state.is !== "card").length;
  return (
    <div className="session-end">
      <p aria-live="off">
        {words.checkOut.session(loans.length)}
        {pending > 0 && ` · ${words.checkOut.unsent(pending)}`}
      </p>
      {patron && loans.length > 0 && <ReceiptButtons patron={patron} loans={loans} />}
      <Button onPress={onEnd} isDisabled={isEnding}>
        {isEnding ? words.checkOut.ending : words.checkOut.end}
      </Button>
    </div>
  );
}

/** Shown until the next card: the patron who asks for a receipt with the coat on already. */
export function PastVisit() {
  const words = useWords();
  const { before } = visit.use();
  if (before === undefined) return null;
  return (
    <div className="banner past" role="status">
      <p>{words.checkOut.ended(before.loans.length, nameOf(before.patron))}</p>
      {before.loans.length > 0 && <ReceiptButtons patron={before.patron} loans={before.loans} />}
    </div>
  );
}

function ReceiptButtons({ patron, loans }: { patron: User; loans: Loan[] }) {
  const words = useWords();
  const may = useMay();
  const library = useLibraryName();
  const [paper, print] = usePrint();
  const [written, mail, sent] = useMail();
  const to = patron.personal?.email;
  const receipt = <Receipt patron={patron} loans={loans} />;
  return (
    <>
      <Button onPress={() => print(receipt)}>{words.checkOut.receipt}</Button>
      {to && may("email.message.post") && (
        <Button onPress={() => mail({ to, subject: words.checkOut.receiptSubject(library), content: receipt })}>
          {words.checkOut.receiptByMail}
        </Button>
      )}
      {paper}
      {written}
      {sent.to && <p role="status">{words.checkOut.receiptSent(sent.to)}</p>}
      {sent.error !== null && <Trouble error={sent.error} />}
    </>
  );
}

function Receipt({ patron, loans }: { patron: User; loans: Loan[] }) {
  const words = useWords();
  const formats = useFormats();
  const library = useLibraryName();
  return (
    <>
      <ReceiptHead />
      <h3>{words.checkOut.receiptTitle}</h3>
      <p>{nameOf(patron)}</p>
      <ol>
        {loans.map((loan) => (
          <li key={loan.id}>
            {loan.item?.title}
            <br />
            <small>{loan.item?.barcode}</small>
            <br />
            <strong>{words.checkOut.due(formats.due(loan.dueDate))}</strong>
          </li>
        ))}
      </ol>
      <p>{words.checkOut.receiptFoot(library)}</p>
    </>
  );
}
