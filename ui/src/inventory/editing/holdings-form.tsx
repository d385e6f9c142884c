/** The pages on which holdings are added to a title and changed. */

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useParams, useSearch } from "wouter";
import { title } from "../../api/inventory.ts";
import { CHOICES } from "../../api/inventory-lists.ts";
import { Loading, Trouble } from "../../parts/states.tsx";
import { useMay } from "../../shell/session.ts";
import { useLinkedWords } from "../words/linked.tsx";
import { useRecordWords } from "../words/records.tsx";
import { copied } from "./copied.ts";
import { RecordForm } from "./form.tsx";
import { HOLDINGS_SECTIONS } from "./holdings-fields.ts";
import { Permitted } from "./permitted.tsx";
import { type Stored, without } from "./spec.ts";
import { StoredRecord } from "./stored.tsx";
import { FromMarc, useBlockedFields } from "./title-form.tsx";
import { make, read, replace } from "./writing.ts";

const PATH = "/holdings-storage/holdings";
/** FOLIO's names of where holdings come from. */
const BY_HAND = "FOLIO";
const FROM_MARC = "MARC";

export function NewHoldings() {
  const from = new URLSearchParams(useSearch()).get("from");
  if (from === null) return <NewHoldingsLike key="" />;
  return (
    <StoredRecord path={PATH} id={from} key={from}>
      {(record) => <NewHoldingsLike record={record} />}
    </StoredRecord>
  );
}

function NewHoldingsLike({ record }: { record?: Stored }) {
  const words = useRecordWords();
  const own = useLinkedWords();
  const may = useMay();
  const { id: instanceId = "" } = useParams();
  const of = useQuery(title(instanceId));
  const sources = useQuery(CHOICES["/holdings-sources"]);
  const id = useRef(crypto.randomUUID()).current;
  if (sources.isPending) return <Loading />;
  const source = sources.data?.find(({ name }) => name === BY_HAND);
  return (
    <Permitted to={words.newHoldings} needs="inventory-storage.holdings.item.post">
      <div className="desk-page">
        <h1>
          {words.newHoldings} <small>{of.data?.title}</small>
        </h1>
        {record && <p className="banner note">{own.copied}</p>}
        <RecordForm
          sections={HOLDINGS_SECTIONS}
          stored={{
            ...(record && copied(record, HOLDINGS_SECTIONS, ["formerIds"])),
            id,
            instanceId,
            ...(source && { sourceId: source.id }),
          }}
          write={make(PATH)}
          back={`/inventory/${instanceId}`}
          goesOn={
            may("inventory.items.item.post")
              ? { name: own.saveAndCopies, to: `/inventory/${instanceId}/holdings/${id}/items/new` }
              : undefined
          }
          said={words.saved(words.holdings)}
        />
      </div>
    </Permitted>
  );
}

export function EditHoldings() {
  const words = useRecordWords();
  const { holdings = "" } = useParams();
  return (
    <Permitted to={words.editHoldings} needs="inventory-storage.holdings.item.put">
      <StoredRecord path={PATH} id={holdings} key={holdings}>
        {(record) => <Form record={record} />}
      </StoredRecord>
    </Permitted>
  );
}

function Form({ record }: { record: Stored }) {
  const words = useRecordWords();
  const of = useQuery(title(String(record.instanceId)));
  const sources = useQuery(CHOICES["/holdings-sources"]);
  const fromMarc = sources.data?.find(({ id }) => id === record.sourceId)?.name === FROM_MARC;
  const blocked = useBlockedFields("holdings", fromMarc);
  if (sources.isPending || (fromMarc && blocked.isPending)) return <Loading />;
  if (fromMarc && blocked.error) return <Trouble error={blocked.error} retry={() => void blocked.refetch()} />;
  return (
    <div className="desk-page">
      <h1>
        {words.editHoldings} <small>{of.data?.title}</small>
      </h1>
      {fromMarc && <FromMarc format="HOLDINGS" id={String(record.id)} />}
      <RecordForm
        sections={fromMarc ? without(HOLDINGS_SECTIONS, blocked.data ?? []) : HOLDINGS_SECTIONS}
        stored={record}
        write={replace(PATH)}
        readAgain={read(PATH, String(record.id))}
        back={`/inventory/${String(record.instanceId)}`}
        said={words.saved(words.holdings)}
      />
    </div>
  );
}
