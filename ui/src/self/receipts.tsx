/** The receipt for the items of this visit, on paper or by e-mail. */

import type { Loan, User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { useMail, usePrint } from "../parts/paper.tsx";
import { ReceiptHead } from "../parts/receipt-head.tsx";
import { useMay } from "../shell/session.ts";
import { useLibraryName } from "../shell/shell.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { useSelfWords } from "./words/index.tsx";
import "../receipts/receipts.css";

export function VisitReceiptButtons({ patron, loans }: { patron: User; loans: Loan[] }) {
  const words = useSelfWords();
  const common = useWords().checkOut;
  const may = useMay();
  const library = useLibraryName();
  const [paper, print] = usePrint();
  const [written, mail, sent] = useMail();
  const to = patron.personal?.email;
  const content = <VisitReceipt loans={loans} />;
  return (
    <>
      <Button className="big" onPress={() => print(content)}>
        {words.receipt}
      </Button>
      {to && may("email.message.post") && (
        <Button className="big" onPress={() => mail({ to, subject: common.receiptSubject(library), content })}>
          {words.receiptByMail}
        </Button>
      )}
      {paper}
      {written}
      {/* Without the address: others may look over one's shoulder. */}
      {sent.to && <p role="status">{words.mailed}</p>}
      {sent.error !== null && (
        <p className="banner bad" role="alert">
          {words.noMoreTries}
        </p>
      )}
    </>
  );
}

function VisitReceipt({ loans }: { loans: Loan[] }) {
  const common = useWords().checkOut;
  const words = useSelfWords();
  const formats = useFormats();
  const library = useLibraryName();
  return (
    <div className="receipt">
      <ReceiptHead />
      <h3>{common.receiptTitle}</h3>
      <ol>
        {loans.map((loan) => (
          <li key={loan.id}>
            <span>{loan.item?.title}</span> <strong>{words.due(formats.due(loan.dueDate))}</strong>
          </li>
        ))}
      </ol>
      <p>{common.receiptFoot(library)}</p>
    </div>
  );
}
