/** Browsing headings and references to them, from any place in the alphabet. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { BrowseList } from "../parts/browse-list.tsx";
import { POSITION_PARAMETERS, readListPosition } from "../parts/browsing.ts";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { AUTHORIZED, type BrowseLine, headingsAround, NEEDS, sourceFiles } from "./calls.ts";
import { Filters, headingFiltersFromAddress } from "./filters.tsx";
import { useHeadingWords } from "./words/index.tsx";

export function BrowseHeadings({ isArrival }: { isArrival: boolean }) {
  const own = useHeadingWords();
  const may = useMay();
  const [get] = useAddress();
  const place = readListPosition(get);
  const asked = headingFiltersFromAddress(get);
  const answer = useQuery(headingsAround(place, asked));
  const files = useQuery({ ...sourceFiles, enabled: may(NEEDS.files) }).data;
  return (
    <>
      <SearchLine
        name="from"
        isMain={isArrival}
        label={own.beginAt}
        help={own.beginAtHelp}
        clears={POSITION_PARAMETERS}
      />
      <Filters values={asked} files={files ?? []} clears={POSITION_PARAMETERS} />
      {answer.isPending && <Loading />}
      {answer.error && <ErrorMessage error={answer.error} retry={() => void answer.refetch()} />}
      {answer.data && !answer.error && (
        <BrowseList
          label={own.browse}
          place={place}
          page={answer.data}
          textOf={({ headingRef }) => headingRef}
          isThere={({ authority }) => authority !== undefined}
          show={(line) => <BrowseRow line={line} />}
        />
      )}
    </>
  );
}

function BrowseRow({ line: { headingRef, authority } }: { line: BrowseLine }) {
  const own = useHeadingWords();
  if (authority === undefined) return null;
  const { id, headingType, authRefType, numberOfTitles = 0 } = authority;
  const isOwn = authRefType === AUTHORIZED;
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
