/** A list to leaf through: the lines around what was typed, and the ways on. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { browse, ofIndex } from "../api/search.ts";
import { BrowseList } from "../parts/browse-list.tsx";
import { PLACES, placeOf } from "../parts/browsing.ts";
import { Choice } from "../parts/choice.tsx";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { Loading, Trouble } from "../parts/states.tsx";
import { addressOf } from "./asked.ts";
import { asking, CALL_NUMBER_TYPES, isThere, LISTS, type Line, type ListName, type Place, textOf } from "./browsing.ts";
import { useInventoryWords } from "./words/index.tsx";

export function Browse({ list, isArrival }: { list: ListName; isArrival: boolean }) {
  const own = useInventoryWords().browse;
  const [get] = useAddress();
  const place: Place = {
    ...placeOf(get),
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
        <BrowseList
          label={own.lists[list]}
          place={place}
          page={answer.data}
          textOf={textOf}
          isThere={isThere}
          show={(line) => <Shown list={list} line={line} />}
        />
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

function Shown({ list, line }: { list: ListName; line: Line }) {
  const own = useInventoryWords();
  const text = textOf(line);
  const href = line.instance ? `/inventory/${line.instance.id}` : addressOf(LISTS[list].option, text);
  return (
    <>
      <div className="what">
        <Link href={href}>{text}</Link>
        {line.instance && <small>{line.instance.title}</small>}
      </div>
      <p className="due quiet">{own.titles(line.totalRecords)}</p>
    </>
  );
}
