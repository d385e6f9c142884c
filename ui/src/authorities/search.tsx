/** Headings are searched for by words, kind and source file. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useLocation } from "wouter";
import { NEEDS as MARC } from "../marc/needs.ts";
import { useAltKey } from "../parts/alt-key.ts";
import { Choice } from "../parts/choice.tsx";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import type { TableColumn } from "../parts/table/column.ts";
import { Table } from "../parts/table/table.tsx";
import { Tick } from "../parts/tick.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { type Asked, countsOf, type Heading, headingsFor, KINDS, MOST, NEEDS, OWN, sourceFiles } from "./calls.ts";
import type { HeadingWords } from "./words/en.ts";
import { useHeadingWords } from "./words/index.tsx";

const ANY = "any";

export function SearchPage() {
  const own = useHeadingWords();
  const formats = useFormats();
  const may = useMay();
  const [get] = useAddress();
  const [, navigate] = useLocation();
  const asked: Asked = {
    words: get("query"),
    kind: get("kind"),
    file: get("file"),
    references: get("references") === "yes",
  };
  const isAsked = asked.words !== "" || asked.kind !== "" || asked.file !== "";
  const found = useQuery({
    queryKey: ["authorities", asked],
    enabled: isAsked,
    placeholderData: keepPreviousData,
    queryFn: () => headingsFor(asked, MOST),
  });
  const headings = useMemo(() => (isAsked ? (found.data?.authorities ?? []) : []), [found.data, isAsked]);
  const total = found.data?.totalRecords ?? 0;
  const ids = useMemo(() => headings.map(({ id }) => id), [headings]);
  const counts = useQuery({
    queryKey: ["authority-counts", ids],
    enabled: ids.length > 0 && may(NEEDS.counts),
    queryFn: () => countsOf(ids),
  }).data;
  const files = useQuery({ ...sourceFiles, enabled: may(NEEDS.files) }).data;
  const shown = useMemo(() => {
    const names = new Map(files?.map(({ id, name }) => [id, name]));
    return columns(own, names, counts);
  }, [own, files, counts]);
  const open = ({ id }: Heading) => navigate(`/authorities/${id}`);
  return (
    <div className="table-page">
      <h1 className="unseen">{own.title}</h1>
      <div className="authority-search">
        <SearchLine label={own.search} help={own.help} />
        <div className="buttons">
          {may(NEEDS.changes) && (
            <Link className="button" href="/authorities/changes">
              {own.changes.title}
            </Link>
          )}
          {may(MARC.make) && <NewAuthority />}
        </div>
      </div>
      <Filters asked={asked} files={files ?? []} />
      {found.isLoading && <Loading />}
      {found.error && <Trouble error={found.error} retry={() => void found.refetch()} />}
      {isAsked && total > MOST && (
        <p className="banner warn">{own.firstOnly(formats.number(MOST), formats.number(total))}</p>
      )}
      {isAsked && found.isSuccess && headings.length === 0 && <Empty>{own.none}</Empty>}
      {headings.length > 0 && (
        <Table
          label={own.title}
          rows={headings}
          columns={shown}
          keyOf={keyOf}
          sort="heading"
          fileName={own.title}
          onOpen={open}
        />
      )}
    </div>
  );
}

const keyOf = ({ id, authRefType, headingRef }: Heading) => `${id} ${authRefType} ${headingRef}`;

function NewAuthority() {
  const own = useHeadingWords();
  const [, navigate] = useLocation();
  useAltKey("N", () => navigate("/marc/authority/new"));
  return (
    <Link className="button" href="/marc/authority/new" aria-keyshortcuts="Alt+N">
      {own.make}
    </Link>
  );
}

function Filters({ asked, files }: { asked: Asked; files: readonly { id: string; name: string }[] }) {
  const own = useHeadingWords();
  const [, set] = useAddress();
  const kinds = KINDS.map((id) => ({ id: id as string, name: own.kinds[id] ?? id }));
  const any = { id: ANY, name: own.any };
  return (
    <section className="list-filters" aria-label={own.filters}>
      <Choice
        className="inline"
        label={own.columns.kind}
        options={[any, ...kinds]}
        value={asked.kind || ANY}
        onChange={(id) => set({ kind: id === ANY ? undefined : id })}
      />
      <Choice
        className="inline"
        label={own.columns.file}
        options={[any, ...files]}
        value={asked.file || ANY}
        onChange={(id) => set({ file: id === ANY ? undefined : id })}
      />
      <Tick value={asked.references} onChange={(is) => set({ references: is ? "yes" : undefined })}>
        {own.references}
      </Tick>
    </section>
  );
}

function columns(
  own: HeadingWords,
  files: ReadonlyMap<string, string>,
  counts: ReadonlyMap<string, number> | undefined,
): TableColumn<Heading>[] {
  const isOwn = ({ authRefType }: Heading) => authRefType === OWN;
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
      width: 8,
      value: ({ authRefType }) => own.referenceTypes[authRefType ?? ""] ?? authRefType,
    },
    {
      id: "titles",
      name: own.columns.titles,
      width: 6,
      kind: "number",
      isMain: true,
      // Titles are linked to the authority, not to a heading that refers to it.
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
