/** Receipts for returned items: one for each borrower, without the items of others. */

import { borrowerName } from "../parts/portrait.tsx";
import { ReceiptButtons } from "../receipts/buttons.tsx";
import { ReturnReceipt } from "../receipts/content.tsx";
import { useReceiptWords } from "../receipts/words/index.tsx";
import { useLibraryName } from "../shell/shell.tsx";
import { useWords } from "../words/index.tsx";
import { groupByBorrower } from "./borrowers.ts";
import { type CheckInScan, pastPile } from "./session.ts";

export default function ReturnReceipts({ scans }: { scans: readonly Pick<CheckInScan, "state">[] }) {
  const words = useWords();
  const own = useReceiptWords();
  const library = useLibraryName();
  return groupByBorrower(scans).map(({ userId, loans }) => {
    const name = (loans[0] && borrowerName(loans[0])) || words.unknown;
    return (
      <ReceiptButtons
        key={userId}
        label={own.ofReturned(name, loans.length)}
        subject={own.returnedSubject(library)}
        content={<ReturnReceipt name={name} loans={loans} />}
      />
    );
  });
}

/** The previous pile, shown until the next item is scanned, for borrowers who ask for a receipt late. */
export function PastPile() {
  const own = useReceiptWords();
  const scans = pastPile.use();
  if (groupByBorrower(scans).length === 0) return null;
  return (
    <div className="banner past" role="status">
      <p>{own.pileEnded(scans.length)}</p>
      <ReturnReceipts scans={scans} />
    </div>
  );
}
