/** The end of a visit: the number of items, and the buttons for receipts and for ending the session. */

import type { Loan, User } from "../api/records.ts";
import { ManyBarcodes, RefusedFile } from "../batches/lazy.tsx";
import { Button } from "../parts/button.tsx";
import { patronName } from "../parts/portrait.tsx";
import { ReceiptButtons } from "../receipts/buttons.tsx";
import { VisitReceipt } from "../receipts/content.tsx";
import { useReceiptWords } from "../receipts/words/index.tsx";
import { isPending } from "../scanning/queue.ts";
import { useLibraryName } from "../shell/shell.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { addScan, inbox } from "./inbox.ts";
import { type CheckOutScan, visit } from "./session.ts";

export function EndOfVisit({ scans, onEnd }: { scans: CheckOutScan[]; onEnd: () => void }) {
  const words = useWords();
  const isEnding = inbox.use().some((entry) => "end" in entry);
  const { patron, renewed = [] } = visit.use();
  const loans = scans.flatMap(({ state }) => (state.is === "done" ? [state.answer] : []));
  const pending = scans.filter((scan) => isPending(scan) && scan.state.is !== "card").length;
  return (
    <div className="session-end">
      <p aria-live="off">
        {words.checkOut.session(loans.length)}
        {pending > 0 && ` · ${words.checkOut.unsent(pending)}`}
      </p>
      {patron && <ManyBarcodes title="outTitle" onScan={addScan} />}
      <RefusedFile scans={scans} />
      {patron && loans.length + renewed.length > 0 && (
        <VisitReceiptButtons patron={patron} loans={loans} renewed={renewed} />
      )}
      <Button onPress={onEnd} isDisabled={isEnding}>
        {isEnding ? words.checkOut.ending : words.checkOut.end}
      </Button>
    </div>
  );
}

/** The previous patron's session, shown until the next card is scanned, for patrons who ask for a receipt late. */
export function PastVisit() {
  const words = useWords();
  const formats = useFormats();
  const own = useReceiptWords();
  const { before } = visit.use();
  if (before === undefined) return null;
  const { renewed = [] } = before;
  return (
    <div className="banner past" role="status">
      <p>
        {words.checkOut.ended(before.loans.length, patronName(before.patron))}
        {renewed.length > 0 && ` · ${own.renewed(renewed.length)}`}
      </p>
      {before.loans.length > 0 && (
        <ul className="lent">
          {before.loans.map((loan) => (
            <li key={loan.id}>
              {loan.item?.title} <strong>{words.checkOut.due(formats.due(loan.dueDate))}</strong>
            </li>
          ))}
        </ul>
      )}
      {before.loans.length + renewed.length > 0 && <VisitReceiptButtons {...before} />}
    </div>
  );
}

function VisitReceiptButtons({ patron, loans, renewed = [] }: { patron: User; loans: Loan[]; renewed?: Loan[] }) {
  const words = useWords();
  const own = useReceiptWords();
  const library = useLibraryName();
  const subject = renewed.length > 0 ? own.visitSubject(library) : words.checkOut.receiptSubject(library);
  return (
    <ReceiptButtons
      user={patron}
      subject={subject}
      content={<VisitReceipt patron={patron} loans={loans} renewed={renewed} />}
    />
  );
}
