/** The page of a settings record: stored, new, or a copy. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { recordQuery, recordsQuery } from "../api/settings.ts";
import { useAddress } from "../parts/search-line.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { RecordForm } from "./form.tsx";
import { type Kind, rightsTo, type SettingRecord, titleOf } from "./kind.ts";
import { UsedInRules } from "./used.tsx";
import { useSettingsWords } from "./words/index.tsx";

type RenderBeside = (draft: SettingRecord, onChange: (draft: SettingRecord) => void) => ReactNode;

export function RecordPage({ kind, id, beside }: { kind: Kind; id: string; beside?: RenderBeside | undefined }) {
  const words = useSettingsWords();
  const [get] = useAddress();
  const model = id === "new" ? get("like") : id;
  const asked = useQuery({ ...recordQuery(kind, model), enabled: model !== "" });
  if (model === "")
    return <RecordWithTitle kind={kind} record={kind.blank as SettingRecord} isNew beside={beside} key="new" />;
  if (asked.isPending) return <Loading />;
  if (asked.isLoadingError) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  if (id !== "new") return <RecordWithTitle kind={kind} record={asked.data} isNew={false} beside={beside} key={id} />;
  const { id: _, metadata: __, ...copy } = asked.data;
  const { source } = kind.blank as SettingRecord;
  const named = {
    ...copy,
    // The copy belongs to this library, whatever the source of the original.
    ...(source !== undefined && { source }),
    [kind.title]: words.copyOf(titleOf(kind, asked.data)),
  };
  return <RecordWithTitle kind={kind} record={named} isNew beside={beside} key={`like ${model}`} />;
}

/** The page of a kind with a single record, which may not be stored yet. */
export function SingleRecordPage({ kind, beside }: { kind: Kind; beside: RenderBeside | undefined }) {
  const words = useSettingsWords();
  const asked = useQuery(recordsQuery(kind));
  if (asked.isPending) return <Loading />;
  if (asked.isLoadingError) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  const found = asked.data.find(kind.isOfWholeLibrary ?? (() => true));
  return (
    <>
      <p className="help">{words.kinds[kind.name].help}</p>
      <RecordForm
        kind={kind}
        stored={found ?? (kind.blank as SettingRecord)}
        isNew={found === undefined}
        {...(beside && { beside })}
      />
    </>
  );
}

function RecordWithTitle({
  kind,
  record,
  isNew,
  beside,
}: {
  kind: Kind;
  record: SettingRecord;
  isNew: boolean;
  beside: RenderBeside | undefined;
}) {
  const words = useSettingsWords();
  const may = useMay();
  const says = words.kinds[kind.name];
  const title = titleOf(kind, record);
  return (
    <>
      <header className="settings-head">
        <h1>{isNew ? says.make : (words.serverNames[title] ?? title)}</h1>
        {kind.letter && !isNew && <UsedInRules id={record.id ?? ""} />}
        {!isNew && !kind.hasFixedRecords && may(rightsTo.make(kind)) && (
          <Link className="button" href={`/settings/${kind.slug}/new?like=${record.id}`}>
            {words.copy}
          </Link>
        )}
      </header>
      <RecordForm kind={kind} stored={record} isNew={isNew} {...(beside && { beside })} />
    </>
  );
}
