/** What stands on receipts: only what the patron has done. FOLIO has no templates for them, its staff slips are about items on their way. */

import type { ReactNode } from "react";
import type { Account, Loan, User } from "../api/records.ts";
import { nameOf } from "../parts/portrait.tsx";
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

interface Line {
  key: string;
  title: string | undefined;
  barcode: string | undefined;
  says: ReactNode;
}

/** Of nothing nothing is said. */
function Lines({ title, lines }: { title: string; lines: readonly Line[] }) {
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

const lineOf = (loan: Loan, says: ReactNode): Line => ({
  key: loan.id,
  title: loan.item?.title,
  barcode: loan.item?.barcode,
  says,
});

/** What was checked out and what was renewed, until when. */
export function VisitReceipt({ patron, loans, renewed }: { patron: User; loans: Loan[]; renewed: readonly Loan[] }) {
  const words = useWords().checkOut;
  const own = useReceiptWords();
  const formats = useFormats();
  const library = useLibraryName();
  const due = (loan: Loan) => lineOf(loan, words.due(formats.due(loan.dueDate)));
  return (
    <Receipt name={nameOf(patron)}>
      <Lines title={words.receiptTitle} lines={loans.map(due)} />
      <Lines title={own.renewedTitle} lines={renewed.map(due)} />
      <p>{words.receiptFoot(library)}</p>
    </Receipt>
  );
}

export function ReturnReceipt({ name, loans }: { name: string; loans: Loan[] }) {
  const own = useReceiptWords();
  const formats = useFormats();
  const at = (loan: Loan) => lineOf(loan, loan.returnDate && own.returnedAt(formats.moment(loan.returnDate)));
  return (
    <Receipt name={name}>
      <Lines title={own.returnedTitle} lines={loans.map(at)} />
    </Receipt>
  );
}

/** What is owed, and since when. */
export function Statement({ user, accounts }: { user: User; accounts: Account[] }) {
  const own = useReceiptWords();
  const formats = useFormats();
  const owed = accounts.reduce((sum, { remaining }) => sum + remaining, 0);
  const lines = accounts.map((account): Line => {
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
    <Receipt name={[nameOf(user), user.barcode].filter(Boolean).join(" · ")}>
      <Lines title={own.statementTitle} lines={lines} />
      <p>
        <strong>{own.total(formats.money(owed))}</strong>
      </p>
    </Receipt>
  );
}
