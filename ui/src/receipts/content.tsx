/** The content of receipts for patrons. FOLIO has no templates for receipts; its staff slips are for items. */

import type { ReactNode } from "react";
import type { Account, Loan, User } from "../api/records.ts";
import { patronName } from "../parts/portrait.tsx";
import { ReceiptHead } from "../parts/receipt-head.tsx";
import { useLibraryName } from "../shell/shell.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { useReceiptWords } from "./words/index.tsx";
import "./receipts.css";

function Receipt({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="receipt">
      <ReceiptHead />
      <p>{name}</p>
      {children}
    </div>
  );
}

interface ReceiptLine {
  key: string;
  title: string | undefined;
  barcode: string | undefined;
  says: ReactNode;
}

/** Empty if there are no lines. */
function ReceiptLines({ title, lines }: { title: string; lines: readonly ReceiptLine[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ol>
        {lines.map(({ key, title, barcode, says }) => (
          <li key={key}>
            <span>{title}</span>{" "}
            <small>
              <bdi>{barcode}</bdi>
            </small>{" "}
            <strong>{says}</strong>
          </li>
        ))}
      </ol>
    </>
  );
}

const loanLine = (loan: Loan, says: ReactNode): ReceiptLine => ({
  key: loan.id,
  title: loan.item?.title,
  barcode: loan.item?.barcode,
  says,
});

/** The checked-out and the renewed items, with their due dates. */
export function VisitReceipt({ patron, loans, renewed }: { patron: User; loans: Loan[]; renewed: readonly Loan[] }) {
  const words = useWords().checkOut;
  const own = useReceiptWords();
  const formats = useFormats();
  const library = useLibraryName();
  const due = (loan: Loan) => loanLine(loan, words.due(formats.due(loan.dueDate)));
  return (
    <Receipt name={patronName(patron)}>
      <ReceiptLines title={words.receiptTitle} lines={loans.map(due)} />
      <ReceiptLines title={own.renewedTitle} lines={renewed.map(due)} />
      <p>{words.receiptFoot(library)}</p>
    </Receipt>
  );
}

export function ReturnReceipt({ name, loans }: { name: string; loans: Loan[] }) {
  const own = useReceiptWords();
  const formats = useFormats();
  const at = (loan: Loan) => loanLine(loan, loan.returnDate && own.returnedAt(formats.moment(loan.returnDate)));
  return (
    <Receipt name={name}>
      <ReceiptLines title={own.returnedTitle} lines={loans.map(at)} />
    </Receipt>
  );
}

/** The fees/fines that a patron owes, and since when. */
export function FeeStatement({ user, accounts }: { user: User; accounts: Account[] }) {
  const own = useReceiptWords();
  const formats = useFormats();
  const owed = accounts.reduce((sum, { remaining }) => sum + remaining, 0);
  const lines = accounts.map((account): ReceiptLine => {
    const { createdDate } = account.metadata ?? {};
    const isPart = account.remaining !== account.amount;
    return {
      key: account.id,
      title: [account.feeFineType, account.title].filter(Boolean).join(": "),
      barcode: [account.barcode, createdDate && own.charged(formats.day(createdDate))].filter(Boolean).join(" · "),
      says: [formats.money(account.remaining), isPart && own.of(formats.money(account.amount))]
        .filter(Boolean)
        .join(" "),
    };
  });
  return (
    <Receipt name={[patronName(user), user.barcode].filter(Boolean).join(" · ")}>
      <ReceiptLines title={own.statementTitle} lines={lines} />
      <p>
        <strong>{own.total(formats.money(owed))}</strong>
      </p>
    </Receipt>
  );
}
