/** A patron's card was scanned among the items: asks to whom the items that were scanned after it belong. */

import type { User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { patronName } from "../parts/portrait.tsx";
import { isPending } from "../scanning/queue.ts";
import { useWords } from "../words/index.tsx";
import { type CheckOutScan, checkOuts, switchToPatron } from "./session.ts";

interface Props {
  scan: CheckOutScan;
  owner: User;
  /** The patron of the current visit, if it has not ended. */
  here?: User;
}

export function CardQuestion({ scan, owner, here }: Props) {
  const words = useWords();
  const all = checkOuts.scans.use();
  const since = all.slice(all.indexOf(scan) + 1).filter((one) => one.visit === scan.visit && isPending(one)).length;
  // Without a connection the card could not be looked up: the barcode only looks like a card.
  const isCertain = owner.id !== "";
  const name = patronName(owner);
  return (
    <div className="banner warn" role="alert">
      <p>
        <strong>{isCertain ? words.checkOut.isPatron(name) : words.checkOut.looksLikeCard(scan.barcode)}</strong>{" "}
        {since > 0 && words.checkOut.sinceCard(since)}
      </p>
      <div className="buttons">
        <Button kind="primary" onPress={() => switchToPatron(scan, owner)}>
          {here ? words.checkOut.switchTo(name) : words.checkOut.theirs(name)}
        </Button>
        <Button onPress={() => (isCertain ? checkOuts.remove(scan.key) : checkOuts.resend(scan.key))}>
          {!isCertain
            ? words.checkOut.isItem
            : here
              ? words.checkOut.goOnWith(patronName(here))
              : words.checkOut.theirs(scan.order.userBarcode)}
        </Button>
      </div>
    </div>
  );
}
