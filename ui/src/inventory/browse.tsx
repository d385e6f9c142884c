/** A list to leaf through: the lines around what was typed, and the ways on. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { browse, ofIndex } from "../api/search.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { useWords } from "../words/index.tsx";
import { addressOf } from "./asked.ts";
import { asking, CALL_NUMBER_TYPES, isThere, LISTS, type Line, type ListName, type Place, textOf } from "./browsing.ts";
import { useInventoryWords } from "./words/index.tsx";

/** Wherever one was in the list, one is not there any more. */
const PLACES = ["after", "before"];

export function Browse({ list, isArrival }: { list: ListName; isArrival: boolean }) {
  const own = useInventoryWords().browse;
  const [get] = useAddress();
  const place: Place = {
    from: get("from"),
    after: get("after"),
    before: get("before"),
    type: CALL_NUMBER_TYPES.find((type) => type === get("type")),
  };
  const question = asking(list, place);
  const answer = useQuery(ofIndex(["browse", list, question], () => browse<Line>(LISTS[list].path, question)));
  return (
    <>
      <SearchLine
        key={list}
        name="from"
        isMain={isArrival}
        label={own.from}
        help={own.help}
        clears={PLACES}
        before={list === "call-numbers" && <TypeChoice type={place.type} />}
      />
      {answer.isPending && <Loading />}
      {answer.error && <Trouble error={answer.error} retry={() => void answer.refetch()} />}
      {answer.data && !answer.error && (
        <section aria-label={own.lists[list]}>
          <Ways place={place} count={answer.data.items.filter(isThere).length} {...answer.data} />
          <ol className="rows lines">
            {answer.data.items.map((line, number) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: equal headings of several kinds stand one below the other
              <Row key={`${textOf(line)} ${number}`} list={list} line={line} />
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

function TypeChoice({ type }: { type: Place["type"] }) {
  const own = useInventoryWords().browse;
  const [, set] = useAddress();
  return (
    <Choice
      label={own.type}
      hideLabel
      className="option-choice"
      options={(["all", ...CALL_NUMBER_TYPES] as const).map((id) => ({ id, name: own.types[id] }))}
      value={type ?? "all"}
      onChange={(type) => set({ type: type === "all" ? undefined : type, after: undefined, before: undefined })}
    />
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
  const words = useWords();
  const own = useInventoryWords().browse;
  const [, set] = useAddress();
  const isBeginning = !from && !after && !before;
  const isBeyond = count === 0 && !isBeginning;
  return (
    <>
      <div className="pager">
        <p role="status">{isBeyond ? own.end : own.lines(count)}</p>
        <Button
          isDisabled={isBeginning || prev === undefined}
          onPress={() => set({ before: prev, after: undefined }, true)}
        >
          {words.list.previous}
        </Button>
        <Button isDisabled={next === undefined} onPress={() => set({ after: next, before: undefined }, true)}>
          {words.list.next}
        </Button>
      </div>
      {count === 0 && isBeginning && <Empty>{own.none}</Empty>}
    </>
  );
}

function Row({ list, line }: { list: ListName; line: Line }) {
  const own = useInventoryWords();
  const text = textOf(line);
  if (!isThere(line)) {
    return (
      <li className="row gap" aria-current="true">
        <p>{own.browse.gap(text)}</p>
      </li>
    );
  }
  const href = line.instance ? `/inventory/${line.instance.id}` : addressOf(LISTS[list].option, text);
  return (
    <li className={line.isAnchor ? "row anchor" : "row"} aria-current={line.isAnchor ? "true" : undefined}>
      <div className="what">
        <Link href={href}>{text}</Link>
        {line.instance && <small>{line.instance.title}</small>}
      </div>
      <p className="due quiet">{own.titles(line.totalRecords)}</p>
    </li>
  );
}
