/** The short form for an item that is at the desk but not in the catalogue (FOLIO's fast add). */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Refused } from "../../api/http.ts";
import { CHOICE_LISTS } from "../../api/inventory-lists.ts";
import { list } from "../../api/list.ts";
import type { NamedRecord } from "../../api/records.ts";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { CheckboxField } from "../../parts/tick.tsx";
import { useServicePoint } from "../../shell/session.ts";
import { store } from "../../shell/store.ts";
import { ITEMS_PATH } from "../editing/item-form.tsx";
import { ListChoice } from "../editing/pick.tsx";
import { createRecord } from "../editing/writing.ts";
import { useRecordWords } from "../words/records.tsx";
import { toFastAddRecords } from "./making.ts";

interface FastAddChoices {
  instanceTypeId?: string;
  locationId?: string;
  materialTypeId?: string;
  loanTypeId?: string;
}

/** The values that were chosen last in this browser, since most fast-added items are of one kind. */
const lastChoices = store<FastAddChoices>({}, { name: "octavo.fast-add", in: () => localStorage });

interface Props {
  barcode: string;
  onAdded: () => void;
}

export default function FastAddDialog({ barcode, onAdded }: Props) {
  const words = useRecordWords();
  const client = useQueryClient();
  const ids = useRef({ title: crypto.randomUUID(), holdings: crypto.randomUUID(), item: crypto.randomUUID() }).current;
  const [title, setTitle] = useState("");
  const [contributor, setContributor] = useState("");
  const [callNumber, setCallNumber] = useState("");
  const [isHidden, setHidden] = useState(true);
  const known = useFastAddDefaults();
  const [mine, setMine] = useState<FastAddChoices>({});
  const chosen: FastAddChoices = { ...known.usual, ...lastChoices.use(), ...mine };
  const add = async () => {
    const { instanceTypeId, locationId, materialTypeId, loanTypeId } = chosen;
    if (!instanceTypeId || !locationId || !materialTypeId || !loanTypeId) throw new Refused(422, []);
    const { contributorNameTypeId, statusId, sourceId } = known;
    const said = { barcode, title, contributor, callNumber, isHidden, contributorNameTypeId, statusId, sourceId };
    const records = toFastAddRecords({ ...said, instanceTypeId, locationId, materialTypeId, loanTypeId }, ids);
    await createRecord("/inventory/instances")(records.title);
    await createRecord("/holdings-storage/holdings")(records.holdings);
    await createRecord(ITEMS_PATH)(records.item);
    lastChoices.set(chosen);
    await Promise.all(["titles", "search"].map((key) => client.invalidateQueries({ queryKey: [key] })));
    onAdded();
  };
  const choice = (member: keyof FastAddChoices, label: string, from: Parameters<typeof ListChoice>[0]["from"]) => (
    <ListChoice
      label={label}
      from={from}
      value={chosen[member]}
      onChange={(id) => id !== undefined && setMine((now) => ({ ...now, [member]: id }))}
      isRequired
    />
  );
  const { fields } = words;
  return (
    <FormDialog title={words.fastAdd.title(barcode)} submit={words.fastAdd.submit} onSubmit={add}>
      <Field label={fields.title ?? ""} value={title} onChange={setTitle} isRequired autoFocus />
      <div className="pair">
        <Field label={words.fastAdd.contributor} value={contributor} onChange={setContributor} />
        <Field label={fields.callNumber ?? ""} value={callNumber} onChange={setCallNumber} />
      </div>
      <div className="pair">
        {choice("instanceTypeId", fields.instanceTypeId ?? "", "/instance-types")}
        {choice("locationId", fields.permanentLocationId ?? "", "/locations")}
        {choice("materialTypeId", fields.materialType ?? "", "/material-types")}
        {choice("loanTypeId", fields.permanentLoanType ?? "", "/loan-types")}
      </div>
      <CheckboxField value={isHidden} onChange={setHidden}>
        {fields.discoverySuppress}
      </CheckboxField>
    </FormDialog>
  );
}

/** FOLIO's status of instances that have not been catalogued yet. */
const UNCATALOGED = "Uncataloged";
const FOLIO_SOURCE = "FOLIO";
const TEXT_TYPE = "text";

function useFastAddDefaults() {
  const here = useServicePoint()?.id;
  const types = useQuery(CHOICE_LISTS["/instance-types"]).data;
  const [kind] = useQuery(CHOICE_LISTS["/contributor-name-types"]).data ?? [];
  const statuses = useQuery(CHOICE_LISTS["/instance-statuses"]).data;
  const sources = useQuery(CHOICE_LISTS["/holdings-sources"]).data;
  const [place] =
    useQuery({
      queryKey: ["locations-of", here],
      enabled: here !== undefined,
      queryFn: async () => {
        const { locations } = await list("/locations", { limit: 2000, query: "cql.allRecords=1 sortBy name" });
        return locations.filter(({ primaryServicePoint }) => primaryServicePoint === here);
      },
    }).data ?? [];
  const named = (all: readonly NamedRecord[] | undefined, wanted: string) =>
    all?.find(({ name }) => name === wanted)?.id;
  const type = named(types, TEXT_TYPE);
  return {
    usual: { ...(type && { instanceTypeId: type }), ...(place && { locationId: place.id }) },
    contributorNameTypeId: kind?.id,
    statusId: named(statuses, UNCATALOGED),
    sourceId: named(sources, FOLIO_SOURCE),
  };
}
