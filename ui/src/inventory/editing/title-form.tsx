/** The pages on which a title is made and changed. Of a title that comes from MARC, what FOLIO lets one change besides the record. */

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Link, useParams, useSearch } from "wouter";
import { ask } from "../../api/http.ts";
import { CHOICES } from "../../api/inventory-lists.ts";
import { NEEDS as MARC } from "../../marc/needs.ts";
import { editorOf } from "../../marc/ways.ts";
import { Loading, Trouble } from "../../parts/states.tsx";
import { useMay } from "../../shell/session.ts";
import { withLinksOfOthers } from "../linked/relations.ts";
import { useLinkedWords } from "../words/linked.tsx";
import { useRecordWords } from "../words/records.tsx";
import { copied } from "./copied.ts";
import { RecordForm } from "./form.tsx";
import { Permitted } from "./permitted.tsx";
import { type Section, type Stored, without } from "./spec.ts";
import { StoredRecord } from "./stored.tsx";
import { RELATED, TITLE_SECTIONS } from "./title-fields.ts";
import { make, read, replace } from "./writing.ts";

const PATH = "/inventory/instances";

export function NewTitle() {
  const from = new URLSearchParams(useSearch()).get("from");
  if (from === null) return <NewTitleLike key="" />;
  return (
    <StoredRecord path={PATH} id={from} key={from}>
      {(record) => <NewTitleLike record={record} />}
    </StoredRecord>
  );
}

const OWN_LINKS = RELATED.map(({ at }) => at);

function NewTitleLike({ record }: { record?: Stored }) {
  const words = useRecordWords();
  const own = useLinkedWords();
  const may = useMay();
  const types = useQuery(CHOICES["/instance-types"]);
  const id = useRef(crypto.randomUUID()).current;
  if (types.isPending) return <Loading />;
  const usual = types.data?.find(({ name }) => name === "text") ?? types.data?.[0];
  return (
    <Permitted to={words.newTitle} needs="inventory.instances.item.post">
      <div className="desk-page">
        <h1>{words.newTitle}</h1>
        {record && <p className="banner note">{own.copied}</p>}
        <RecordForm
          sections={TITLE_SECTIONS}
          stored={{
            ...(usual && { instanceTypeId: usual.id }),
            title: "",
            ...(record && copied(record, TITLE_SECTIONS, OWN_LINKS)),
            id,
            source: "FOLIO",
          }}
          write={make(PATH)}
          back={record ? `/inventory/${String(record.id)}` : "/inventory"}
          next={`/inventory/${id}`}
          goesOn={
            may("inventory-storage.holdings.item.post")
              ? { name: own.saveAndHoldings, to: `/inventory/${id}/holdings/new` }
              : undefined
          }
          said={words.saved(words.fields.title ?? "")}
        />
      </div>
    </Permitted>
  );
}

export function EditTitle() {
  const words = useRecordWords();
  const { id = "" } = useParams();
  return (
    <Permitted to={words.editTitle} needs="inventory.instances.item.put">
      <StoredRecord path={PATH} id={id} key={id}>
        {(record) => (
          <div className="desk-page">
            <h1>
              {words.editTitle} <small>{String(record.title)}</small>
            </h1>
            {record.source === "MARC" ? (
              <OfMarc record={record} />
            ) : (
              <Whole record={record} sections={TITLE_SECTIONS} />
            )}
          </div>
        )}
      </StoredRecord>
    </Permitted>
  );
}

function Whole({ record, sections }: { record: Stored; sections: readonly Section[] }) {
  const words = useRecordWords();
  const id = String(record.id);
  return (
    <RecordForm
      sections={sections}
      stored={record}
      write={async (changed) => replace(PATH)(withLinksOfOthers(changed, record, await read(PATH, id)(), RELATED))}
      readAgain={read(PATH, id)}
      back={`/inventory/${id}`}
      said={words.saved(words.fields.title ?? "")}
    />
  );
}

/** Where it can be changed, for whoever may do that. */
export function FromMarc({ format, id }: { format: "BIBLIOGRAPHIC" | "HOLDINGS"; id: string }) {
  const words = useRecordWords();
  const own = useLinkedWords();
  const may = useMay();
  return (
    <p className="banner note">
      {words.fromMarc}
      {may(MARC.change) && <Link href={editorOf(format, id)}>{own.marc.edit}</Link>}
    </p>
  );
}

function OfMarc({ record }: { record: Stored }) {
  const blocked = useBlockedFields("instances");
  if (blocked.isPending) return <Loading />;
  if (blocked.error) return <Trouble error={blocked.error} retry={() => void blocked.refetch()} />;
  return (
    <>
      <FromMarc format="BIBLIOGRAPHIC" id={String(record.id)} />
      <Whole record={record} sections={without(TITLE_SECTIONS, blocked.data)} />
    </>
  );
}

/** What comes from a MARC record and is changed there alone. */
export const useBlockedFields = (of: "instances" | "holdings", enabled = true) =>
  useQuery({
    queryKey: ["blocked-fields", of],
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
    queryFn: async () =>
      (await ask<{ blockedFields: string[] }>(`/inventory/config/${of}/blocked-fields`)).blockedFields,
  });
