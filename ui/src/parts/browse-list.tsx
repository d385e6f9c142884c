/** A page of a list that is leafed through: the lines around what was typed, and the ways on. */

import type { ReactNode } from "react";
import { useWords } from "../words/index.tsx";
import { PLACES, type Place } from "./browsing.ts";
import { Button } from "./button.tsx";
import { useAddress } from "./search-line.tsx";
import { Empty } from "./states.tsx";
import "../style/browse.css";

/** What every list says of a line. */
interface Marked {
  isAnchor?: boolean;
}

interface Props<Line> {
  label: string;
  place: Place;
  /** The server's answer. */
  page: { items: readonly Line[]; prev?: string; next?: string };
  textOf: (line: Line) => string;
  /** The others only say where what was typed would be. */
  isThere: (line: Line) => boolean;
  show: (line: Line) => ReactNode;
}

export function BrowseList<Line extends Marked>({ label, place, page, textOf, isThere, show }: Props<Line>) {
  const words = useWords().list;
  return (
    <section aria-label={label}>
      <Ways place={place} count={page.items.filter(isThere).length} {...page} />
      <ol className="rows lines">
        {page.items.map((line, number) => {
          const text = textOf(line);
          // Equal headings of several kinds stand one below the other.
          const key = `${text} ${number}`;
          if (!isThere(line)) {
            return (
              <li className="row gap" aria-current="true" key={key}>
                <p>{words.gap(text)}</p>
              </li>
            );
          }
          return (
            <li
              className={line.isAnchor ? "row anchor" : "row"}
              aria-current={line.isAnchor ? "true" : undefined}
              key={key}
            >
              {show(line)}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

interface WaysProps {
  place: Place;
  count: number;
  prev?: string;
  next?: string;
}

/** To what stands before and behind. From an end that the list has not got there is only the way back. */
function Ways({ place: { from, after, before }, count, prev, next }: WaysProps) {
  const words = useWords().list;
  const [, set] = useAddress();
  const nowhere = Object.fromEntries(PLACES.map((place) => [place, undefined]));
  const isBeginning = !from && !after && !before;
  const isBeyond = count === 0 && !isBeginning;
  return (
    <>
      <div className="pager">
        <p role="status">{isBeyond ? words.end : words.lines(count)}</p>
        <Button isDisabled={isBeginning || prev === undefined} onPress={() => set({ ...nowhere, before: prev }, true)}>
          {words.previous}
        </Button>
        <Button isDisabled={next === undefined} onPress={() => set({ ...nowhere, after: next }, true)}>
          {words.next}
        </Button>
      </div>
      {count === 0 && isBeginning && <Empty>{words.nothing}</Empty>}
    </>
  );
}
