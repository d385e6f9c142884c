/** Search for headings by words, kind and source file. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Suspense, useMemo } from "react";
import { Link, useLocation } from "wouter";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import type { TableColumn } from "../parts/table/column.ts";
import { Table } from "../parts/table/table.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import {
  AUTHORIZED,
  countLinkedTitles,
  type Heading,
  type HeadingSearch,
  MAX_HEADINGS,
  NEEDS,
  searchHeadings,
  sourceFiles,
} from "./calls.ts";
import { Filters, headingFiltersFromAddress } from "./filters.tsx";
import type { HeadingWords } from "./words/en.ts";
import { useHeadingWords } from "./words/index.tsx";

export function SearchHeadings({ isArrival }: { isArrival: boolean }) {
  const own = useHeadingWords();
  const formats = useFormats();
  const may = useMay();
  const [get] = useAddress();
  const [, navigate] = useLocation();
  const asked: HeadingSearch = { words: get("query"), ...headingFiltersFromAddress(get) };
  const isAsked = asked.words !== "" || asked.kind !== "" || asked.file !== "";
  const found = useQuery({
    queryKey: ["authorities", asked],
    enabled: isAsked,
    placeholderData: keepPreviousData,
    queryFn: () => searchHeadings(asked, MAX_HEADINGS),
  });
  const headings = useMemo(() => (isAsked ? (found.data?.authorities ?? []) : []), [found.data, isAsked]);
  const total = found.data?.totalRecords ?? 0;
  const ids = useMemo(() => headings.map(({ id }) => id), [headings]);
  const counts = useQuery({
    queryKey: ["authority-counts", ids],
    enabled: ids.length > 0 && may(NEEDS.counts),
    queryFn: () => countLinkedTitles(ids),
  }).data;
  const files = useQuery({ ...sourceFiles, enabled: may(NEEDS.files) }).data;
  const shown = useMemo(() => {
    const names = new Map(files?.map(({ id, name }) => [id, name]));
    return headingColumns(own, names, counts);
  }, [own, files, counts]);
  const open = ({ id }: Heading) => navigate(`/authorities/${id}`);
  return (
    <>
      <SearchLine isMain={isArrival} label={own.search} help={own.help} />
      <Filters values={asked} files={files ?? []} />
      {found.isLoading && <Loading />}
      {found.error && <ErrorMessage error={found.error} retry={() => void found.refetch()} />}
      {isAsked && total > MAX_HEADINGS && (
        <p className="banner warn">{own.firstOnly(formats.number(MAX_HEADINGS), formats.number(total))}</p>
      )}
      {isAsked && found.isSuccess && headings.length === 0 && <EmptyMessage>{own.none}</EmptyMessage>}
      {/* The search line keeps the focus while the words of the table arrive. */}
      {headings.length > 0 && (
        <Suspense fallback={<Loading />}>
          <Table
            label={own.title}
            rows={headings}
            columns={shown}
            keyOf={headingKey}
            sort="heading"
            fileName={own.title}
            onOpen={open}
          />
        </Suspense>
      )}
    </>
  );
}

const headingKey = ({ id, authRefType, headingRef }: Heading) => `${id} ${authRefType} ${headingRef}`;

function headingColumns(
  own: HeadingWords,
  files: ReadonlyMap<string, string>,
  counts: ReadonlyMap<string, number> | undefined,
): TableColumn<Heading>[] {
  const isOwn = ({ authRefType }: Heading) => authRefType === AUTHORIZED;
  return [
    {
      id: "heading",
      name: own.columns.heading,
      width: 20,
      isMain: true,
      value: ({ headingRef }) => headingRef,
      show: ({ id, headingRef }) => (
        <Link href={`/authorities/${id}`} tabIndex={-1} dir="auto">
          {headingRef}
        </Link>
      ),
    },
    {
      id: "kind",
      name: own.columns.kind,
      width: 9,
      value: ({ headingType }) => own.kinds[headingType ?? ""] ?? headingType,
    },
    {
      id: "reference",
      name: own.columns.reference,
      width: 9.5,
      value: ({ authRefType }) => own.referenceTypes[authRefType ?? ""] ?? authRefType,
    },
    {
      id: "titles",
      name: own.columns.titles,
      width: 6,
      kind: "number",
      isMain: true,
      // Only the authorized heading has a count: titles are linked to the authority, not to its references.
      value: (heading) => (isOwn(heading) ? (counts?.get(heading.id) ?? heading.numberOfTitles) : undefined),
    },
    {
      id: "file",
      name: own.columns.file,
      width: 11,
      value: ({ sourceFileId }) => files.get(sourceFileId ?? "") ?? "",
    },
    { id: "number", name: own.columns.number, width: 9, kind: "code", value: ({ naturalId }) => naturalId },
  ];
}
