/** What has become of a pile: what was refused, for a spreadsheet; and at check-in where it goes, on one paper. */

import type { Refusal } from "../api/http.ts";
import { type Destination, destination, type Returned } from "../check-in/session.ts";
import { Button } from "../parts/button.tsx";
import { saveCsv } from "../parts/csv.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { usePrint } from "../parts/paper.tsx";
import { inOneLine, refusalTexts } from "../refusals/texts.ts";
import type { Scan } from "../scanning/queue.ts";
import { useFormats, useWords } from "../words/index.tsx";
import type { BatchWords } from "./words/en.ts";
import { useBatchWords } from "./words/index.tsx";

/** Shown as soon as one is refused. */
export function RefusedFile({ scans }: { scans: readonly Scan<unknown, unknown>[] }) {
  const words = useWords();
  const own = useBatchWords();
  const refused = scans.flatMap(({ barcode, state }) =>
    state.is === "refused" ? [{ barcode, refusals: state.refusals as Refusal[] }] : [],
  );
  if (refused.length === 0) return null;
  const columns = [
    [own.barcode, ({ barcode }: { barcode: string }) => barcode],
    [own.reason, ({ refusals }: { refusals: Refusal[] }) => inOneLine(refusalTexts(refusals, words))],
  ] as const;
  return <Button onPress={() => saveCsv(`${own.refusedFile}.csv`, columns, refused)}>{own.refused}</Button>;
}

interface Place {
  name: string;
  lines: { key: string; title: string; callNumber: string; barcode: string; forWhom: string }[];
}

/** The items of a pile by where they go, in the order in which they came. */
export function placesOf(scans: readonly Returned[], words: BatchWords): Place[] {
  const places = new Map<string, Place>();
  for (const { key, barcode, state } of scans) {
    if (state.is !== "done") continue;
    const goes = destination(state.answer);
    const name = nameOf(goes, words);
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

function nameOf({ is, name }: Destination, words: BatchWords): string {
  if (is === "transit") return words.transit(name);
  if (is === "shelf") return name ? `${words.shelf}: ${name}` : words.shelf;
  return is === "other" ? name : words[is];
}

/** One item tells by itself where it goes. */
export function Summary({ scans }: { scans: readonly Returned[] }) {
  const own = useBatchWords();
  const [paper, print] = usePrint();
  const places = placesOf(scans, own);
  if (places.reduce((sum, { lines }) => sum + lines.length, 0) < 2) return null;
  return (
    <>
      <Opens>
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
      </Opens>
      {paper}
    </>
  );
}

function PrintedPile({ places }: { places: Place[] }) {
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
