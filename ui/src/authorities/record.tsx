/** The page of an authority: its headings, linked titles, and changes that are being applied to titles. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { NEEDS as MARC } from "../marc/needs.ts";
import { editorPath, marcViewPath } from "../marc/ways.ts";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { PAGE_SIZE, Pager, usePage } from "../parts/pager.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import {
  type Authority,
  authorityById,
  countLinkedTitles,
  linkedTitles,
  NEEDS,
  removeAuthority,
  sourceFiles,
} from "./calls.ts";
import { ChangesOfAuthority } from "./changes.tsx";
import { headingsOf } from "./headings.ts";
import { useHeadingWords } from "./words/index.tsx";

export function AuthorityPage() {
  const { id = "" } = useParams();
  const asked = useQuery(authorityById(id));
  if (asked.isPending) return <Loading />;
  if (asked.error) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  return <AuthorityView key={id} record={asked.data} />;
}

function AuthorityView({ record }: { record: Authority }) {
  const { id } = record;
  const own = useHeadingWords();
  const may = useMay();
  const [isDeleting, setDeleting] = useState(false);
  const files = useQuery({ ...sourceFiles, enabled: may(NEEDS.files) }).data;
  const { heading, kind, seeFrom, seeAlso } = headingsOf(record);
  const count = useQuery({
    queryKey: ["authority-counts", id],
    enabled: may(NEEDS.counts),
    queryFn: async () => (await countLinkedTitles([id])).get(id) ?? 0,
  });
  const isMarc = record.source === "MARC" || record.source === "CONSORTIUM-MARC";
  const file = files?.find((one) => one.id === record.sourceFileId)?.name;
  return (
    <div className="desk-page">
      <header className="head">
        <div className="what">
          <h1 dir="auto">{heading}</h1>
          <p>{[own.kinds[kind ?? ""] ?? kind, file].filter(Boolean).join(" · ")}</p>
          <small>
            <Code>{record.naturalId}</Code>
          </small>
        </div>
        <div className="buttons">
          {isMarc && may(MARC.change) && (
            <Link className="button primary" href={editorPath("AUTHORITY", id)}>
              {own.edit}
            </Link>
          )}
          {isMarc && may(MARC.plain) && (
            <Link className="button" href={marcViewPath("AUTHORITY", id)}>
              {own.plain}
            </Link>
          )}
          {may(NEEDS.remove) && (
            <Button kind="danger" onPress={() => setDeleting(true)}>
              {own.remove.button}
            </Button>
          )}
        </div>
      </header>
      <HeadingSection title={own.from} headings={seeFrom} />
      <HeadingSection title={own.also} headings={seeAlso} />
      <HeadingSection title={own.notes} headings={(record.notes ?? []).map(({ note }) => note)} />
      {may(NEEDS.changes) && <ChangesOfAuthority authorityId={id} />}
      {may(NEEDS.titles) && <LinkedTitles id={id} count={count.data} />}
      {isDeleting && (
        <DeleteDialog record={record} heading={heading} count={count.data} onClose={() => setDeleting(false)} />
      )}
    </div>
  );
}

function HeadingSection({ title, headings }: { title: string; headings: readonly string[] }) {
  if (headings.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul className="authority-headings">
        {headings.map((heading) => (
          <li key={heading} dir="auto">
            {heading}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The most linked titles that the server gives page by page. */
const MAX_TITLES = 10_000;

function LinkedTitles({ id, count }: { id: string; count: number | undefined }) {
  const own = useHeadingWords();
  const { offset } = usePage(MAX_TITLES);
  const found = useQuery(linkedTitles(id, PAGE_SIZE, offset));
  const titles = found.data?.instances ?? [];
  return (
    <section>
      <h2>{count === undefined ? own.titles : own.titlesOf(count)}</h2>
      {found.isPending && <Loading />}
      {found.error && <ErrorMessage error={found.error} retry={() => void found.refetch()} />}
      {found.isSuccess && titles.length === 0 && <EmptyMessage>{own.noTitles}</EmptyMessage>}
      {titles.length > 0 && (
        <>
          <Pager total={found.data?.totalRecords ?? 0} most={MAX_TITLES} />
          <ul className="authority-headings">
            {titles.map(({ id, title, contributors }) => (
              <li key={id}>
                <Link href={`/inventory/${id}`} dir="auto">
                  {title}
                </Link>{" "}
                <small dir="auto">{contributors?.[0]?.name}</small>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface DeleteProps {
  record: Authority;
  heading: string;
  count: number | undefined;
  onClose: () => void;
}

function DeleteDialog({ record, heading, count, onClose }: DeleteProps) {
  const own = useHeadingWords();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const remove = async () => {
    await removeAuthority(record.id);
    await client.invalidateQueries({ queryKey: ["authorities"] });
    announce(own.remove.done);
    navigate("/authorities");
  };
  return (
    <FormDialog title={own.remove.title} submit={own.remove.submit} danger onSubmit={remove} isOpen onClose={onClose}>
      <p dir="auto">{heading}</p>
      {count !== undefined && (
        <p className={count > 0 ? "banner warn" : "banner note"}>
          {count > 0 ? own.remove.follows(count) : own.remove.nothingFollows}
        </p>
      )}
    </FormDialog>
  );
}
