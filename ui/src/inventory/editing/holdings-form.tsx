/** The pages on which holdings are added to a title and changed. */

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useParams, useSearch } from "wouter";
import { title } from "../../api/inventory.ts";
import { CHOICE_LISTS } from "../../api/inventory-lists.ts";
import { ErrorMessage, Loading } from "../../parts/states.tsx";
import { useMay } from "../../shell/session.ts";
import { useLinkedWords } from "../words/linked.tsx";
import { useRecordWords } from "../words/records.tsx";
import { copyRecord } from "./copied.ts";
import { RecordForm } from "./form.tsx";
import { HOLDINGS_SECTIONS } from "./holdings-fields.ts";
import { Permitted } from "./permitted.tsx";
import { type RecordJson, withoutFields } from "./spec.ts";
import { StoredRecord } from "./stored.tsx";
import { MarcSourceNote, useBlockedFields } from "./title-form.tsx";
import { createRecord, readRecord, replaceRecord } from "./writing.ts";

const PATH = "/holdings-storage/holdings";
/** FOLIO's names of the sources of holdings. */
const FOLIO_SOURCE = "FOLIO";
const MARC_SOURCE = "MARC";

export function NewHoldings() {
  const from = new URLSearchParams(useSearch()).get("from");
  if (from === null) return <NewHoldingsForm key="" />;
  return (
    <StoredRecord path={PATH} id={from} key={from}>
      {(record) => <NewHoldingsForm record={record} />}
    </StoredRecord>
  );
}

function NewHoldingsForm({ record }: { record?: RecordJson }) {
  const words = useRecordWords();
  const own = useLinkedWords();
  const may = useMay();
  const { id: instanceId = "" } = useParams();
  const of = useQuery(title(instanceId));
  const sources = useQuery(CHOICE_LISTS["/holdings-sources"]);
  const id = useRef(crypto.randomUUID()).current;
  if (sources.isPending) return <Loading />;
  const source = sources.data?.find(({ name }) => name === FOLIO_SOURCE);
  return (
    <Permitted pageName={words.newHoldings} needs="inventory-storage.holdings.item.post">
      <div className="desk-page">
        <h1>
          {words.newHoldings} <small>{of.data?.title}</small>
        </h1>
        {record && <p className="banner note">{own.copied}</p>}
        <RecordForm
          sections={HOLDINGS_SECTIONS}
          stored={{
            ...(record && copyRecord(record, HOLDINGS_SECTIONS, ["formerIds"])),
            id,
            instanceId,
            ...(source && { sourceId: source.id }),
          }}
          write={createRecord(PATH)}
          cancelPath={`/inventory/${instanceId}`}
          nextStep={
            may("inventory.items.item.post")
              ? { name: own.saveAndCopies, to: `/inventory/${instanceId}/holdings/${id}/items/new` }
              : undefined
          }
          savedMessage={words.saved(words.holdings)}
        />
      </div>
    </Permitted>
  );
}

export function EditHoldings() {
  const words = useRecordWords();
  const { holdings = "" } = useParams();
  return (
    <Permitted pageName={words.editHoldings} needs="inventory-storage.holdings.item.put">
      <StoredRecord path={PATH} id={holdings} key={holdings}>
        {(record) => <EditHoldingsForm record={record} />}
      </StoredRecord>
    </Permitted>
  );
}

function EditHoldingsForm({ record }: { record: RecordJson }) {
  const words = useRecordWords();
  const of = useQuery(title(String(record.instanceId)));
  const sources = useQuery(CHOICE_LISTS["/holdings-sources"]);
  const fromMarc = sources.data?.find(({ id }) => id === record.sourceId)?.name === MARC_SOURCE;
  const blocked = useBlockedFields("holdings", fromMarc);
  if (sources.isPending || (fromMarc && blocked.isPending)) return <Loading />;
  if (fromMarc && blocked.isLoadingError)
    return <ErrorMessage error={blocked.error} retry={() => void blocked.refetch()} />;
  return (
    <div className="desk-page">
      <h1>
        {words.editHoldings} <small>{of.data?.title}</small>
      </h1>
      {fromMarc && <MarcSourceNote format="HOLDINGS" id={String(record.id)} />}
      <RecordForm
        sections={fromMarc ? withoutFields(HOLDINGS_SECTIONS, blocked.data ?? []) : HOLDINGS_SECTIONS}
        stored={record}
        write={replaceRecord(PATH)}
        readAgain={readRecord(PATH, String(record.id))}
        cancelPath={`/inventory/${String(record.instanceId)}`}
        savedMessage={words.saved(words.holdings)}
      />
    </div>
  );
}
