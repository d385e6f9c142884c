/** A page of a browse list: the entries around what was typed, and the buttons to the previous and next page. */

import type { ReactNode } from "react";
import { useWords } from "../words/index.tsx";
import { type ListPosition, POSITION_PARAMETERS } from "./browsing.ts";
import { Button } from "./button.tsx";
import { useAddress } from "./search-line.tsx";
import { EmptyMessage } from "./states.tsx";
import "../style/browse.css";

/** Members that entries of every browse list have. */
interface AnchorLine {
  isAnchor?: boolean;
}

interface Props<Line> {
  label: string;
  place: ListPosition;
  /** The server's answer. */
  page: { items: readonly Line[]; prev?: string; next?: string };
  textOf: (line: Line) => string;
  /** False for a placeholder that only shows where the typed text would stand. */
  isThere: (line: Line) => boolean;
  show: (line: Line) => ReactNode;
}

export function BrowseList<Line extends AnchorLine>({ label, place, page, textOf, isThere, show }: Props<Line>) {
  const words = useWords().list;
  return (
    <section aria-label={label}>
      <BrowseListPager place={place} count={page.items.filter(isThere).length} {...page} />
      <ol className="rows lines">
        {page.items.map((line, number) => {
          const text = textOf(line);
          // Equal headings of different kinds follow each other, so the text alone is no key.
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

interface BrowseListPagerProps {
  place: ListPosition;
  count: number;
  prev?: string;
  next?: string;
}

/**
 * Buttons to the previous and the next page of a browse list. Beyond an end of the list only the way back is enabled.
 */
function BrowseListPager({ place: { from, after, before }, count, prev, next }: BrowseListPagerProps) {
  const words = useWords().list;
  const [, set] = useAddress();
  const nowhere = Object.fromEntries(POSITION_PARAMETERS.map((place) => [place, undefined]));
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
      {count === 0 && isBeginning && <EmptyMessage>{words.nothing}</EmptyMessage>}
    </>
  );
}
