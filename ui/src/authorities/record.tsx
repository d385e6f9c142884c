/** An authority: its headings, the titles that are linked to it, and what is being changed. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { NEEDS as MARC } from "../marc/needs.ts";
import { editorOf, plainOf } from "../marc/ways.ts";
import { Button } from "../parts/button.tsx";
import { Code } from "../parts/code.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { PAGE, Pager, usePage } from "../parts/pager.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { announce } from "../scanning/signals.tsx";
import { useMay } from "../shell/session.ts";
import { type Authority, authority, countsOf, linkedTitles, NEEDS, removeAuthority, sourceFiles } from "./calls.ts";
import { ChangesOf } from "./changes.tsx";
import { headingsOf } from "./headings.ts";
import { useHeadingWords } from "./words/index.tsx";

export function AuthorityPage() {
  const { id = "" } = useParams();
  const asked = useQuery(authority(id));
  if (asked.isPending) return <Loading />;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
  return <Shown key={id} record={asked.data} />;
}

function Shown({ record }: { record: Authority }) {
  const { id } = record;
  const own = useHeadingWords();
  const may = useMay();
  const [isDeleting, setDeleting] = useState(false);
  const files = useQuery({ ...sourceFiles, enabled: may(NEEDS.files) }).data;
  const { heading, kind, from, also } = headingsOf(record);
  const count = useQuery({
    queryKey: ["authority-counts", id],
    enabled: may(NEEDS.counts),
    queryFn: async () => (await countsOf([id])).get(id) ?? 0,
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
            <Link className="button primary" href={editorOf("AUTHORITY", id)}>
              {own.edit}
            </Link>
          )}
          {isMarc && may(MARC.plain) && (
            <Link className="button" href={plainOf("AUTHORITY", id)}>
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
      <Headings title={own.from} headings={from} />
      <Headings title={own.also} headings={also} />
      <Headings title={own.notes} headings={(record.notes ?? []).map(({ note }) => note)} />
      {may(NEEDS.changes) && <ChangesOf authorityId={id} />}
      {may(NEEDS.titles) && <Titles id={id} count={count.data} />}
      {isDeleting && <Delete record={record} heading={heading} count={count.data} onClose={() => setDeleting(false)} />}
    </div>
  );
}

function Headings({ title, headings }: { title: string; headings: readonly string[] }) {
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

/** The server gives no more of them by pages. */
const MOST = 10_000;

function Titles({ id, count }: { id: string; count: number | undefined }) {
  const own = useHeadingWords();
  const { offset } = usePage(MOST);
  const found = useQuery(linkedTitles(id, PAGE, offset));
  const titles = found.data?.instances ?? [];
  return (
    <section>
      <h2>{count === undefined ? own.titles : own.titlesOf(count)}</h2>
      {found.isPending && <Loading />}
      {found.error && <Trouble error={found.error} retry={() => void found.refetch()} />}
      {found.isSuccess && titles.length === 0 && <Empty>{own.noTitles}</Empty>}
      {titles.length > 0 && (
        <>
          <Pager total={found.data?.totalRecords ?? 0} most={MOST} />
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

function Delete({ record, heading, count, onClose }: DeleteProps) {
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
