/** A tab with a browse list: the entries around what was typed, and the buttons to other pages. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { indexQuery, loadBrowsePage } from "../api/search.ts";
import { BrowseList } from "../parts/browse-list.tsx";
import { POSITION_PARAMETERS, readListPosition } from "../parts/browsing.ts";
import { Choice } from "../parts/choice.tsx";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { searchAddress } from "./asked.ts";
import {
  BROWSE_LISTS,
  type BrowseEntry,
  type BrowsePosition,
  browseQuery,
  CALL_NUMBER_TYPES,
  entryText,
  hasTitles,
  type ListName,
} from "./browsing.ts";
import { useInventoryWords } from "./words/index.tsx";

export function BrowseTab({ list, isArrival }: { list: ListName; isArrival: boolean }) {
  const own = useInventoryWords().browse;
  const [get] = useAddress();
  const place: BrowsePosition = {
    ...readListPosition(get),
    type: CALL_NUMBER_TYPES.find((type) => type === get("type")),
  };
  const question = browseQuery(list, place);
  const answer = useQuery(
    indexQuery(["browse", list, question], () => loadBrowsePage<BrowseEntry>(BROWSE_LISTS[list].path, question)),
  );
  return (
    <>
      <SearchLine
        key={list}
        name="from"
        isMain={isArrival}
        label={own.from}
        help={own.help}
        clears={POSITION_PARAMETERS}
        before={list === "call-numbers" && <TypeChoice type={place.type} />}
      />
      {answer.isPending && <Loading />}
      {answer.error && <ErrorMessage error={answer.error} retry={() => void answer.refetch()} />}
      {answer.data && !answer.error && (
        <BrowseList
          label={own.lists[list]}
          place={place}
          page={answer.data}
          textOf={entryText}
          isThere={hasTitles}
          show={(line) => <BrowseLine list={list} line={line} />}
        />
      )}
    </>
  );
}

function TypeChoice({ type }: { type: BrowsePosition["type"] }) {
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

function BrowseLine({ list, line }: { list: ListName; line: BrowseEntry }) {
  const own = useInventoryWords();
  const text = entryText(line);
  const href = line.instance ? `/inventory/${line.instance.id}` : searchAddress(BROWSE_LISTS[list].option, text);
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
