/** What a patron has brought back, on paper: one receipt for each, with nothing of the others. */

import { borrowerName } from "../parts/portrait.tsx";
import { ReceiptButtons } from "../receipts/buttons.tsx";
import { ReturnReceipt } from "../receipts/content.tsx";
import { useReceiptWords } from "../receipts/words/index.tsx";
import { useLibraryName } from "../shell/shell.tsx";
import { useWords } from "../words/index.tsx";
import { byBorrower } from "./borrowers.ts";
import { pastPile, type Returned } from "./session.ts";

export default function ReturnReceipts({ scans }: { scans: readonly Pick<Returned, "state">[] }) {
  const words = useWords();
  const own = useReceiptWords();
  const library = useLibraryName();
  return byBorrower(scans).map(({ userId, loans }) => {
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

/** Shown until the next item: whoever asks for a receipt late. */
export function PastPile() {
  const own = useReceiptWords();
  const scans = pastPile.use();
  if (byBorrower(scans).length === 0) return null;
  return (
    <div className="banner past" role="status">
      <p>{own.pileEnded(scans.length)}</p>
      <ReturnReceipts scans={scans} />
    </div>
  );
}
