/** The page on which an item is changed. */

import { useParams } from "wouter";
import { useRecordWords } from "../words/records.tsx";
import { RecordForm } from "./form.tsx";
import { ITEM_SECTIONS } from "./item-fields.ts";
import { Permitted } from "./permitted.tsx";
import { StoredRecord } from "./stored.tsx";
import { readRecord, replaceRecord } from "./writing.ts";

export const ITEMS_PATH = "/inventory/items";

export function EditItem() {
  const words = useRecordWords();
  const { id = "", item = "" } = useParams();
  return (
    <Permitted pageName={words.editItem} needs="inventory.items.item.put">
      <StoredRecord path={ITEMS_PATH} id={item} key={item}>
        {(record) => (
          <div className="desk-page">
            <h1>
              {words.editItem} <small>{[record.title, record.barcode].filter(Boolean).join(" · ")}</small>
            </h1>
            <RecordForm
              sections={ITEM_SECTIONS}
              stored={record}
              write={replaceRecord(ITEMS_PATH)}
              readAgain={readRecord(ITEMS_PATH, item)}
              cancelPath={`/inventory/${id}/items/${item}`}
              savedMessage={words.saved(words.item)}
            />
          </div>
        )}
      </StoredRecord>
    </Permitted>
  );
}
