/** Scans of earlier visits: those that wait for the connection, and the results of those that were sent late. */

import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { patronName } from "../parts/portrait.tsx";
import { isPending } from "../scanning/queue.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { CardQuestion } from "./card-question.tsx";
import { useBorrower } from "./refused.ts";
import { ScanRow } from "./row.tsx";
import { type CheckOutScan, checkOuts, visit } from "./session.ts";

export function ScansOfPastVisits() {
  const words = useWords();
  const formats = useFormats();
  const { id } = visit.use();
  const others = checkOuts.scans.use().filter((scan) => scan.visit !== id);
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
                <ScanOrigin scan={scan} />
              </p>
              <ul className="rows">
                <ScanRow scan={scan} />
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
                    <ScanOrigin scan={scan} />
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
                    onPress={() => checkOuts.remove(scan.key)}
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

/** When an item was scanned, and for whom; the scan itself has only the barcode of the card. */
function ScanOrigin({ scan }: { scan: CheckOutScan }) {
  const words = useWords();
  const formats = useFormats();
  const borrower = useBorrower(scan);
  return (
    <>
      {words.checkOut.conflictOf(formats.moment(scan.at), borrower && patronName(borrower))}{" "}
      <Code>{scan.order.userBarcode}</Code>
    </>
  );
}
