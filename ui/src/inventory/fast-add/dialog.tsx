/** The short form for an item that is at the desk but not in the catalogue. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Refused } from "../../api/http.ts";
import { CHOICES } from "../../api/inventory-lists.ts";
import { list } from "../../api/list.ts";
import type { Named } from "../../api/records.ts";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Tick } from "../../parts/tick.tsx";
import { useServicePoint } from "../../shell/session.ts";
import { store } from "../../shell/store.ts";
import { ITEMS_PATH } from "../editing/item-form.tsx";
import { Pick } from "../editing/pick.tsx";
import { make } from "../editing/writing.ts";
import { useRecordWords } from "../words/records.tsx";
import { recordsOf } from "./making.ts";

interface Chosen {
  instanceTypeId?: string;
  locationId?: string;
  materialTypeId?: string;
  loanTypeId?: string;
}

/** What was chosen the last time at this desk: most of what comes is of one kind. */
const last = store<Chosen>({}, { name: "octavo.fast-add", in: () => localStorage });

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
  const known = useKnown();
  const [mine, setMine] = useState<Chosen>({});
  const chosen: Chosen = { ...known.usual, ...last.use(), ...mine };
  const add = async () => {
    const { instanceTypeId, locationId, materialTypeId, loanTypeId } = chosen;
    if (!instanceTypeId || !locationId || !materialTypeId || !loanTypeId) throw new Refused(422, []);
    const { contributorNameTypeId, statusId, sourceId } = known;
    const said = { barcode, title, contributor, callNumber, isHidden, contributorNameTypeId, statusId, sourceId };
    const records = recordsOf({ ...said, instanceTypeId, locationId, materialTypeId, loanTypeId }, ids);
    await make("/inventory/instances")(records.title);
    await make("/holdings-storage/holdings")(records.holdings);
    await make(ITEMS_PATH)(records.item);
    last.set(chosen);
    await Promise.all(["titles", "search"].map((key) => client.invalidateQueries({ queryKey: [key] })));
    onAdded();
  };
  const choice = (member: keyof Chosen, label: string, from: Parameters<typeof Pick>[0]["from"]) => (
    <Pick
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
      <Tick value={isHidden} onChange={setHidden}>
        {fields.discoverySuppress}
      </Tick>
    </FormDialog>
  );
}

/** What FOLIO calls a title that nobody has catalogued yet. */
const UNCATALOGED = "Uncataloged";
const BY_HAND = "FOLIO";
const TEXT = "text";

function useKnown() {
  const here = useServicePoint()?.id;
  const types = useQuery(CHOICES["/instance-types"]).data;
  const [kind] = useQuery(CHOICES["/contributor-name-types"]).data ?? [];
  const statuses = useQuery(CHOICES["/instance-statuses"]).data;
  const sources = useQuery(CHOICES["/holdings-sources"]).data;
  const [place] =
    useQuery({
      queryKey: ["locations-of", here],
      enabled: here !== undefined,
      queryFn: async () => {
        const { locations } = await list("/locations", { limit: 2000, query: "cql.allRecords=1 sortBy name" });
        return locations.filter(({ primaryServicePoint }) => primaryServicePoint === here);
      },
    }).data ?? [];
  const named = (all: readonly Named[] | undefined, wanted: string) => all?.find(({ name }) => name === wanted)?.id;
  const type = named(types, TEXT);
  return {
    usual: { ...(type && { instanceTypeId: type }), ...(place && { locationId: place.id }) },
    contributorNameTypeId: kind?.id,
    statusId: named(statuses, UNCATALOGED),
    sourceId: named(sources, BY_HAND),
  };
}
