/** The card of a patron among the items: whose is what was scanned since? */

import type { User } from "../api/records.ts";
import { Button } from "../parts/button.tsx";
import { nameOf } from "../parts/portrait.tsx";
import { isPending } from "../scanning/queue.ts";
import { useWords } from "../words/index.tsx";
import { type Lending, lending, switchTo } from "./session.ts";

interface Props {
  scan: Lending;
  owner: User;
  /** The patron of the visit, if it is not over. */
  here?: User;
}

export function CardQuestion({ scan, owner, here }: Props) {
  const words = useWords();
  const all = lending.scans.use();
  const since = all.slice(all.indexOf(scan) + 1).filter((one) => one.visit === scan.visit && isPending(one)).length;
  // Not looked up: it only looks like a card.
  const isCertain = owner.id !== "";
  const name = nameOf(owner);
  return (
    <div className="banner warn" role="alert">
      <p>
        <strong>{isCertain ? words.checkOut.isPatron(name) : words.checkOut.looksLikeCard(scan.barcode)}</strong>{" "}
        {since > 0 && words.checkOut.sinceCard(since)}
      </p>
      <div className="buttons">
        <Button kind="primary" onPress={() => switchTo(scan, owner)}>
          {here ? words.checkOut.switchTo(name) : words.checkOut.theirs(name)}
        </Button>
        <Button onPress={() => (isCertain ? lending.remove(scan.key) : lending.again(scan.key))}>
          {!isCertain
            ? words.checkOut.isItem
            : here
              ? words.checkOut.goOnWith(nameOf(here))
              : words.checkOut.theirs(scan.order.userBarcode)}
        </Button>
      </div>
    </div>
  );
}
