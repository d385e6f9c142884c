/** Scans of visits that are over: those that wait for the connection, and what came of those that went out late. */

import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { nameOf } from "../parts/portrait.tsx";
import { isPending } from "../scanning/queue.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { CardQuestion } from "./card-question.tsx";
import { useBorrower } from "./refused.ts";
import { Row } from "./row.tsx";
import { type Lending, lending, visit } from "./session.ts";

export function LeftOver() {
  const words = useWords();
  const formats = useFormats();
  const { id } = visit.use();
  const others = lending.scans.use().filter((scan) => scan.visit !== id);
  const waiting = others.filter((scan) => isPending(scan) && scan.state.is !== "card");
  const cards = others.flatMap((scan) => (scan.state.is === "card" ? [{ scan, owner: scan.state.owner }] : []));
  const refused = others.filter(({ state }) => state.is === "refused");
  const otherwise = others.flatMap((scan) =>
    scan.state.is === "done" && scan.told ? [{ scan, told: scan.told, loan: scan.state.answer }] : [],
  );
  return (
    <>
      {waiting.length > 0 && (
        <p className="banner warn" role="status">
          {words.checkOut.leftWaiting(waiting.length)}
        </p>
      )}
      {cards.map(({ scan, owner }) => (
        <CardQuestion key={scan.key} scan={scan} owner={owner} />
      ))}
      {refused.length > 0 && (
        <section aria-label={words.checkOut.conflicts}>
          <h2>{words.checkOut.conflicts}</h2>
          <p className="help">{words.checkOut.conflictsHelp}</p>
          {refused.map((scan) => (
            <div key={scan.key} className="conflict">
              <p>
                <Whose scan={scan} />
              </p>
              <ul className="rows">
                <Row scan={scan} />
              </ul>
            </div>
          ))}
        </section>
      )}
      {otherwise.length > 0 && (
        <section aria-label={words.checkOut.otherwise}>
          <h2>{words.checkOut.otherwise}</h2>
          <p className="help">{words.checkOut.otherwiseHelp}</p>
          <ul className="rows">
            {otherwise.map(({ scan, told, loan }) => (
              <li key={scan.key} className="row done">
                <p className="what">
                  <strong>{loan.item?.title ?? scan.barcode}</strong>
                  <small>
                    <Whose scan={scan} />
                  </small>
                </p>
                <p className="due">
                  {words.checkOut.due(formats.due(loan.dueDate))}
                  <small>{words.checkOut.toldOtherwise(formats.due(told))}</small>
                </p>
                <div className="actions">
                  <Button
                    kind="quiet"
                    aria-label={`${words.checkOut.dismiss}: ${scan.barcode}`}
                    onPress={() => lending.remove(scan.key)}
                  >
                    {words.remove}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** When it was scanned, and for whom: the card is all that the scan knows. */
function Whose({ scan }: { scan: Lending }) {
  const words = useWords();
  const formats = useFormats();
  const borrower = useBorrower(scan);
  return (
    <>
      {words.checkOut.conflictOf(formats.moment(scan.at), borrower && nameOf(borrower))}{" "}
      <Code>{scan.order.userBarcode}</Code>
    </>
  );
}
