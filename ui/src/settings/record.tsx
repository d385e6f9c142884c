/** The page of one record: a stored one, a new one, or a new one like another. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { recordOf, recordsOf } from "../api/settings.ts";
import { useAddress } from "../parts/search-line.tsx";
import { Loading, Trouble } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { RecordForm } from "./form.tsx";
import { type Kind, rightsTo, type Stored, titleOf } from "./kind.ts";
import { Used } from "./used.tsx";
import { useSettingsWords } from "./words/index.tsx";

type Beside = (draft: Stored, onChange: (draft: Stored) => void) => ReactNode;

export function RecordPage({ kind, id, beside }: { kind: Kind; id: string; beside?: Beside | undefined }) {
  const words = useSettingsWords();
  const [get] = useAddress();
  const model = id === "new" ? get("like") : id;
  const asked = useQuery({ ...recordOf(kind, model), enabled: model !== "" });
  if (model === "") return <Titled kind={kind} record={kind.blank as Stored} isNew beside={beside} key="new" />;
  if (asked.isPending) return <Loading />;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
  if (id !== "new") return <Titled kind={kind} record={asked.data} isNew={false} beside={beside} key={id} />;
  const { id: _, metadata: __, ...copy } = asked.data;
  const { source } = kind.blank as Stored;
  const named = {
    ...copy,
    // Whoever made the other, this one is the library's.
    ...(source !== undefined && { source }),
    [kind.title]: words.copyOf(titleOf(kind, asked.data)),
  };
  return <Titled kind={kind} record={named} isNew beside={beside} key={`like ${model}`} />;
}

/** The page of a kind of which there is one, whether it has been stored yet or not. */
export function TheOnePage({ kind, beside }: { kind: Kind; beside: Beside | undefined }) {
  const words = useSettingsWords();
  const asked = useQuery(recordsOf(kind));
  if (asked.isPending) return <Loading />;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
  const found = asked.data.find(kind.ofAll ?? (() => true));
  return (
    <>
      <p className="help">{words.kinds[kind.name].help}</p>
      <RecordForm
        kind={kind}
        stored={found ?? (kind.blank as Stored)}
        isNew={found === undefined}
        {...(beside && { beside })}
      />
    </>
  );
}

function Titled({
  kind,
  record,
  isNew,
  beside,
}: {
  kind: Kind;
  record: Stored;
  isNew: boolean;
  beside: Beside | undefined;
}) {
  const words = useSettingsWords();
  const may = useMay();
  const says = words.kinds[kind.name];
  const title = titleOf(kind, record);
  return (
    <>
      <header className="settings-head">
        <h1>{isNew ? says.make : (words.serverNames[title] ?? title)}</h1>
        {kind.letter && !isNew && <Used id={record.id ?? ""} />}
        {!isNew && !kind.fixed && may(rightsTo.make(kind)) && (
          <Link className="button" href={`/settings/${kind.slug}/new?like=${record.id}`}>
            {words.copy}
          </Link>
        )}
      </header>
      <RecordForm kind={kind} stored={record} isNew={isNew} {...(beside && { beside })} />
    </>
  );
}
