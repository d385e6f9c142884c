/** The list of headings and of references to them, from any place. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { BrowseList } from "../parts/browse-list.tsx";
import { PLACES, placeOf } from "../parts/browsing.ts";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { Loading, Trouble } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { headingsAround, type Line, NEEDS, OWN, sourceFiles } from "./calls.ts";
import { Filters, narrowed } from "./filters.tsx";
import { useHeadingWords } from "./words/index.tsx";

export function BrowseHeadings({ isArrival }: { isArrival: boolean }) {
  const own = useHeadingWords();
  const may = useMay();
  const [get] = useAddress();
  const place = placeOf(get);
  const asked = narrowed(get);
  const answer = useQuery(headingsAround(place, asked));
  const files = useQuery({ ...sourceFiles, enabled: may(NEEDS.files) }).data;
  return (
    <>
      <SearchLine name="from" isMain={isArrival} label={own.beginAt} help={own.beginAtHelp} clears={PLACES} />
      <Filters asked={asked} files={files ?? []} clears={PLACES} />
      {answer.isPending && <Loading />}
      {answer.error && <Trouble error={answer.error} retry={() => void answer.refetch()} />}
      {answer.data && !answer.error && (
        <BrowseList
          label={own.browse}
          place={place}
          page={answer.data}
          textOf={({ headingRef }) => headingRef}
          isThere={({ authority }) => authority !== undefined}
          show={(line) => <Shown line={line} />}
        />
      )}
    </>
  );
}

function Shown({ line: { headingRef, authority } }: { line: Line }) {
  const own = useHeadingWords();
  if (authority === undefined) return null;
  const { id, headingType, authRefType, numberOfTitles = 0 } = authority;
  const isOwn = authRefType === OWN;
  const kind = own.kinds[headingType ?? ""] ?? headingType;
  const use = isOwn ? undefined : (own.referenceTypes[authRefType ?? ""] ?? authRefType);
  return (
    <>
      <div className="what">
        <Link className={isOwn ? undefined : "reference"} href={`/authorities/${id}`} dir="auto">
          {headingRef}
        </Link>
        <small>{[kind, use].filter(Boolean).join(" · ")}</small>
      </div>
      {isOwn && <p className="due quiet">{own.titlesOf(numberOfTitles)}</p>}
    </>
  );
}
