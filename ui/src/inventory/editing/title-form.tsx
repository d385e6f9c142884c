/**
 * The pages on which a title is created and edited. Of a title with a MARC record, only what FOLIO lets one change
 * outside of the record.
 */

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Link, useParams, useSearch } from "wouter";
import { ask } from "../../api/http.ts";
import { CHOICE_LISTS } from "../../api/inventory-lists.ts";
import { NEEDS as MARC } from "../../marc/needs.ts";
import { editorPath } from "../../marc/ways.ts";
import { ErrorMessage, Loading } from "../../parts/states.tsx";
import { useMay } from "../../shell/session.ts";
import { mergeLinks } from "../linked/relations.ts";
import { useLinkedWords } from "../words/linked.tsx";
import { useRecordWords } from "../words/records.tsx";
import { copyRecord } from "./copied.ts";
import { RecordForm } from "./form.tsx";
import { Permitted } from "./permitted.tsx";
import { type FormSection, type RecordJson, withoutFields } from "./spec.ts";
import { StoredRecord } from "./stored.tsx";
import { RELATED_TITLE_FIELDS, TITLE_SECTIONS } from "./title-fields.ts";
import { createRecord, readRecord, replaceRecord } from "./writing.ts";

const PATH = "/inventory/instances";

export function NewTitle() {
  const from = new URLSearchParams(useSearch()).get("from");
  if (from === null) return <NewTitleForm key="" />;
  return (
    <StoredRecord path={PATH} id={from} key={from}>
      {(record) => <NewTitleForm record={record} />}
    </StoredRecord>
  );
}

const RELATED_TITLE_PATHS = RELATED_TITLE_FIELDS.map(({ at }) => at);

function NewTitleForm({ record }: { record?: RecordJson }) {
  const words = useRecordWords();
  const own = useLinkedWords();
  const may = useMay();
  const types = useQuery(CHOICE_LISTS["/instance-types"]);
  const id = useRef(crypto.randomUUID()).current;
  if (types.isPending) return <Loading />;
  const usual = types.data?.find(({ name }) => name === "text") ?? types.data?.[0];
  return (
    <Permitted pageName={words.newTitle} needs="inventory.instances.item.post">
      <div className="desk-page">
        <h1>{words.newTitle}</h1>
        {record && <p className="banner note">{own.copied}</p>}
        <RecordForm
          sections={TITLE_SECTIONS}
          stored={{
            ...(usual && { instanceTypeId: usual.id }),
            title: "",
            ...(record && copyRecord(record, TITLE_SECTIONS, RELATED_TITLE_PATHS)),
            id,
            source: "FOLIO",
          }}
          write={createRecord(PATH)}
          cancelPath={record ? `/inventory/${String(record.id)}` : "/inventory"}
          savedPath={`/inventory/${id}`}
          nextStep={
            may("inventory-storage.holdings.item.post")
              ? { name: own.saveAndHoldings, to: `/inventory/${id}/holdings/new` }
              : undefined
          }
          savedMessage={words.saved(words.fields.title ?? "")}
        />
      </div>
    </Permitted>
  );
}

export function EditTitle() {
  const words = useRecordWords();
  const { id = "" } = useParams();
  return (
    <Permitted pageName={words.editTitle} needs="inventory.instances.item.put">
      <StoredRecord path={PATH} id={id} key={id}>
        {(record) => (
          <div className="desk-page">
            <h1>
              {words.editTitle} <small>{String(record.title)}</small>
            </h1>
            {record.source === "MARC" ? (
              <EditMarcTitle record={record} />
            ) : (
              <EditTitleForm record={record} sections={TITLE_SECTIONS} />
            )}
          </div>
        )}
      </StoredRecord>
    </Permitted>
  );
}

function EditTitleForm({ record, sections }: { record: RecordJson; sections: readonly FormSection[] }) {
  const words = useRecordWords();
  const id = String(record.id);
  return (
    <RecordForm
      sections={sections}
      stored={record}
      write={async (changed) =>
        replaceRecord(PATH)(mergeLinks(changed, record, await readRecord(PATH, id)(), RELATED_TITLE_FIELDS))
      }
      readAgain={readRecord(PATH, id)}
      cancelPath={`/inventory/${id}`}
      savedMessage={words.saved(words.fields.title ?? "")}
    />
  );
}

/** A link to the MARC editor, for users who may use it. */
export function MarcSourceNote({ format, id }: { format: "BIBLIOGRAPHIC" | "HOLDINGS"; id: string }) {
  const words = useRecordWords();
  const own = useLinkedWords();
  const may = useMay();
  return (
    <p className="banner note">
      {words.fromMarc}
      {may(MARC.change) && <Link href={editorPath(format, id)}>{own.marc.edit}</Link>}
    </p>
  );
}

function EditMarcTitle({ record }: { record: RecordJson }) {
  const blocked = useBlockedFields("instances");
  if (blocked.isPending) return <Loading />;
  if (blocked.isLoadingError) return <ErrorMessage error={blocked.error} retry={() => void blocked.refetch()} />;
  return (
    <>
      <MarcSourceNote format="BIBLIOGRAPHIC" id={String(record.id)} />
      <EditTitleForm record={record} sections={withoutFields(TITLE_SECTIONS, blocked.data)} />
    </>
  );
}

/** The fields that come from the MARC record and can be changed only there. */
export const useBlockedFields = (of: "instances" | "holdings", enabled = true) =>
  useQuery({
    queryKey: ["blocked-fields", of],
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
    queryFn: async () =>
      (await ask<{ blockedFields: string[] }>(`/inventory/config/${of}/blocked-fields`)).blockedFields,
  });
