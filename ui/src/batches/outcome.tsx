/** The results of a pile: a CSV file of refused barcodes, and at check-in a printed list of where the items go. */

import type { Refusal } from "../api/http.ts";
import { type CheckInScan, type Destination, findDestination } from "../check-in/session.ts";
import { Button } from "../parts/button.tsx";
import { saveCsv } from "../parts/csv.ts";
import { Dialog } from "../parts/dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { usePrint } from "../parts/paper.tsx";
import { joinReasons, refusalTexts } from "../refusals/texts.ts";
import type { Scan } from "../scanning/queue.ts";
import { useFormats, useWords } from "../words/index.tsx";
import type { BatchWords } from "./words/en.ts";
import { useBatchWords } from "./words/index.tsx";

/** Shown as soon as one scan is refused. */
export function RefusedFile({ scans }: { scans: readonly Scan<unknown, unknown>[] }) {
  const words = useWords();
  const own = useBatchWords();
  const refused = scans.flatMap(({ barcode, state }) =>
    state.is === "refused" ? [{ barcode, refusals: state.refusals as Refusal[] }] : [],
  );
  if (refused.length === 0) return null;
  const columns = [
    [own.barcode, ({ barcode }: { barcode: string }) => barcode],
    [own.reason, ({ refusals }: { refusals: Refusal[] }) => joinReasons(refusalTexts(refusals, words))],
  ] as const;
  return <Button onPress={() => saveCsv(`${own.refusedFile}.csv`, columns, refused)}>{own.refused}</Button>;
}

interface PilePlace {
  name: string;
  lines: { key: string; title: string; callNumber: string; barcode: string; forWhom: string }[];
}

/** The returned items by destination, in the order of scanning. */
export function groupByPlace(scans: readonly CheckInScan[], words: BatchWords): PilePlace[] {
  const places = new Map<string, PilePlace>();
  for (const { key, barcode, state } of scans) {
    if (state.is !== "done") continue;
    const goes = findDestination(state.answer);
    const name = placeName(goes, words);
    const place = places.get(name) ?? { name, lines: [] };
    const { item } = state.answer;
    const isForSomebody = goes.is === "hold" || goes.is === "delivery";
    place.lines.push({
      key,
      barcode,
      title: item?.title ?? "",
      callNumber: item?.callNumber ?? "",
      forWhom: isForSomebody ? goes.name : "",
    });
    places.set(name, place);
  }
  return [...places.values()].toSorted((one, other) => one.name.localeCompare(other.name));
}

function placeName({ is, name }: Destination, words: BatchWords): string {
  if (is === "transit") return words.transit(name);
  if (is === "shelf") return name ? `${words.shelf}: ${name}` : words.shelf;
  return is === "other" ? name : words[is];
}

/** Not shown for a single item, whose row already says where it goes. */
export function PileSummaryButton({ scans }: { scans: readonly CheckInScan[] }) {
  const own = useBatchWords();
  const [paper, print] = usePrint();
  const places = groupByPlace(scans, own);
  if (places.reduce((sum, { lines }) => sum + lines.length, 0) < 2) return null;
  return (
    <>
      <DialogOpener>
        <Button>{own.summary}</Button>
        <Dialog title={own.summary}>
          {() => (
            <div className="form">
              <ul className="reasons">
                {places.map(({ name, lines }) => (
                  <li key={name}>
                    <strong>{name}</strong> · {own.items(lines.length)}
                  </li>
                ))}
              </ul>
              <div className="buttons">
                <Button kind="primary" onPress={() => print(<PrintedPile places={places} />)}>
                  {own.print}
                </Button>
              </div>
            </div>
          )}
        </Dialog>
      </DialogOpener>
      {paper}
    </>
  );
}

function PrintedPile({ places }: { places: PilePlace[] }) {
  const formats = useFormats();
  return (
    <>
      <p>{formats.moment(new Date().toISOString())}</p>
      {places.map(({ name, lines }) => (
        <section key={name}>
          <h3>
            {name} ({lines.length})
          </h3>
          <ol>
            {lines.map(({ key, title, callNumber, barcode, forWhom }) => (
              <li key={key}>
                {forWhom && <strong>{forWhom}: </strong>}
                {title}
                <br />
                <small>{[callNumber, barcode].filter(Boolean).join(" · ")}</small>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}
