/** The page on which one or several items are added to holdings. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams, useSearch } from "wouter";
import { Refused } from "../../api/http.ts";
import { holdings, items, loanTypes, locations, materialTypes, title } from "../../api/inventory.ts";
import { Loading } from "../../parts/states.tsx";
import { refusalTexts } from "../../refusals/texts.ts";
import { useWords } from "../../words/index.tsx";
import { useLinkedWords } from "../words/linked.tsx";
import { useRecordWords } from "../words/records.tsx";
import { copyRecord } from "./copied.ts";
import { copyMembers, type FirstNumbers, type NewCopy, resizeCopies } from "./copies.ts";
import { CopyRows } from "./copy-rows.tsx";
import { RecordForm } from "./form.tsx";
import { NEW_ITEM_SECTIONS } from "./item-fields.ts";
import { ITEMS_PATH } from "./item-form.tsx";
import { Permitted } from "./permitted.tsx";
import { type RecordJson, withoutFields } from "./spec.ts";
import { StoredRecord } from "./stored.tsx";
import { createRecord } from "./writing.ts";

/** Barcode, volume and copy number differ between the items and are in their rows. */
const COMMON_SECTIONS = withoutFields(NEW_ITEM_SECTIONS, ["barcode", "volume", "copyNumber"]);

export function NewItems() {
  const from = new URLSearchParams(useSearch()).get("from");
  if (from === null) return <NewItemsPage key="" />;
  return (
    <StoredRecord path={ITEMS_PATH} id={from} key={from}>
      {(record) => <NewItemsPage record={record} />}
    </StoredRecord>
  );
}

/** Members that belong to one item only and are not copied, besides those in its row. */
const ITEM_OWN_MEMBERS = ["status.name", "accessionNumber", "itemIdentifier", "formerIds"];

function NewItemsPage({ record }: { record?: RecordJson }) {
  const words = useRecordWords();
  const own = useLinkedWords();
  const { id = "", holdings: shelfId = "" } = useParams();
  const of = useQuery(title(id));
  const heading = useHoldingsHeading(id, shelfId);
  const first = useItemDefaults(id, shelfId);
  if (first === undefined) return <Loading />;
  return (
    <Permitted pageName={words.newItems} needs="inventory.items.item.post">
      <div className="desk-page">
        <h1>
          {words.newItems} <small>{[of.data?.title, heading].filter(Boolean).join(" · ")}</small>
        </h1>
        {record && <p className="banner note">{own.copied}</p>}
        <NewItemsForm
          first={{ ...first, ...(record && copyRecord(record, COMMON_SECTIONS, ITEM_OWN_MEMBERS)) }}
          back={`/inventory/${id}`}
        />
      </div>
    </Permitted>
  );
}

function useHoldingsHeading(instanceId: string, id: string): string {
  const shelf = useQuery(holdings(instanceId)).data?.find((one) => one.id === id);
  const place = useQuery(locations).data?.find((one) => one.id === shelf?.permanentLocationId)?.name;
  return [place, shelf?.callNumber].filter(Boolean).join(" ");
}

/**
 * The defaults of a new item: the material type and loan type of an item in the same holdings, or the first of each
 * list.
 */
function useItemDefaults(instanceId: string, holdingsRecordId: string): RecordJson | undefined {
  const kinds = useQuery(materialTypes);
  const terms = useQuery(loanTypes);
  const copies = useQuery(items(instanceId));
  if (kinds.isPending || terms.isPending || copies.isPending) return undefined;
  const beside = copies.data?.findLast((item) => item.holdingsRecordId === holdingsRecordId) ?? copies.data?.at(-1);
  const kind = beside?.materialType.id ?? kinds.data?.[0]?.id;
  const term = beside?.permanentLoanType.id ?? terms.data?.[0]?.id;
  return {
    holdingsRecordId,
    status: { name: "Available" },
    ...(kind && { materialType: { id: kind } }),
    ...(term && { permanentLoanType: { id: term } }),
  };
}

const NO_NUMBERS: FirstNumbers = { volume: "", copyNumber: "" };

function NewItemsForm({ first, back }: { first: RecordJson; back: string }) {
  const words = useRecordWords();
  const common = useWords();
  const [stored] = useState(first);
  const [counting, setCounting] = useState(NO_NUMBERS);
  const [copies, setCopies] = useState<NewCopy[]>(() => resizeCopies([], 1, NO_NUMBERS));
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const write = async (record: RecordJson) => {
    const failed = new Map<string, string>();
    let error: unknown;
    // One after the other: a refused item does not keep the others from being added.
    for (const copy of copies.filter(({ isMade }) => !isMade)) {
      try {
        await createRecord(ITEMS_PATH)({ ...record, ...copyMembers(copy) });
        setCopies((now) => now.map((one) => (one.id === copy.id ? { ...one, isMade: true } : one)));
      } catch (reason) {
        if (!(reason instanceof Refused)) throw reason;
        error ??= reason;
        failed.set(
          copy.id,
          /^Barcode must be unique/.test(reason.message)
            ? words.taken
            : refusalTexts(reason.refusals, common).join(" "),
        );
      }
    }
    setRefused(failed);
    if (error !== undefined) throw error;
  };
  return (
    <RecordForm
      sections={COMMON_SECTIONS}
      stored={stored}
      write={write}
      cancelPath={back}
      savedMessage={words.copies.saved(copies.length)}
      isHeaderUnsaved={copies.some((copy) => Object.keys(copyMembers(copy)).length > 1)}
      header={
        <CopyRows
          copies={copies}
          counting={counting}
          refused={refused}
          onChange={(changed, first) => {
            setRefused(new Map());
            setCopies(changed);
            if (first) setCounting(first);
          }}
        />
      }
    />
  );
}
