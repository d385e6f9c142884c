/** The page on which copies are added to holdings: one, or many that have most in common. */

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
import { copied } from "./copied.ts";
import { asMany, type Copy, type Counting, ownOf } from "./copies.ts";
import { Copies } from "./copy-rows.tsx";
import { RecordForm } from "./form.tsx";
import { NEW_ITEM_SECTIONS } from "./item-fields.ts";
import { ITEMS_PATH } from "./item-form.tsx";
import { Permitted } from "./permitted.tsx";
import { type Stored, without } from "./spec.ts";
import { StoredRecord } from "./stored.tsx";
import { make } from "./writing.ts";

/** What is different about each copy stands in its row. */
const IN_COMMON = without(NEW_ITEM_SECTIONS, ["barcode", "volume", "copyNumber"]);

export function NewItems() {
  const from = new URLSearchParams(useSearch()).get("from");
  if (from === null) return <NewItemsLike key="" />;
  return (
    <StoredRecord path={ITEMS_PATH} id={from} key={from}>
      {(record) => <NewItemsLike record={record} />}
    </StoredRecord>
  );
}

/** What one item has for itself, beside what stands in its row. */
const OWN = ["status.name", "accessionNumber", "itemIdentifier", "formerIds"];

function NewItemsLike({ record }: { record?: Stored }) {
  const words = useRecordWords();
  const own = useLinkedWords();
  const { id = "", holdings: shelfId = "" } = useParams();
  const of = useQuery(title(id));
  const heading = useShelf(id, shelfId);
  const first = useFirst(id, shelfId);
  if (first === undefined) return <Loading />;
  return (
    <Permitted to={words.newItems} needs="inventory.items.item.post">
      <div className="desk-page">
        <h1>
          {words.newItems} <small>{[of.data?.title, heading].filter(Boolean).join(" · ")}</small>
        </h1>
        {record && <p className="banner note">{own.copied}</p>}
        <Form first={{ ...first, ...(record && copied(record, IN_COMMON, OWN)) }} back={`/inventory/${id}`} />
      </div>
    </Permitted>
  );
}

function useShelf(instanceId: string, id: string): string {
  const shelf = useQuery(holdings(instanceId)).data?.find((one) => one.id === id);
  const place = useQuery(locations).data?.find((one) => one.id === shelf?.permanentLocationId)?.name;
  return [place, shelf?.callNumber].filter(Boolean).join(" ");
}

/** A new copy begins like one that stands beside it, or else with the first of each list. */
function useFirst(instanceId: string, holdingsRecordId: string): Stored | undefined {
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

const NOTHING: Counting = { volume: "", copyNumber: "" };

function Form({ first, back }: { first: Stored; back: string }) {
  const words = useRecordWords();
  const common = useWords();
  const [stored] = useState(first);
  const [counting, setCounting] = useState(NOTHING);
  const [copies, setCopies] = useState<Copy[]>(() => asMany([], 1, NOTHING));
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const write = async (record: Stored) => {
    const failed = new Map<string, string>();
    let error: unknown;
    // One after the other: what is refused about one does not keep the others from being added.
    for (const copy of copies.filter(({ isMade }) => !isMade)) {
      try {
        await make(ITEMS_PATH)({ ...record, ...ownOf(copy) });
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
      sections={IN_COMMON}
      stored={stored}
      write={write}
      back={back}
      said={words.copies.saved(copies.length)}
      isMoreUnsaved={copies.some((copy) => Object.keys(ownOf(copy)).length > 1)}
      above={
        <Copies
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
