/** The dialog that changes all ticked items: status, location, loan type or a note. */

import { queryOptions, useQuery } from "@tanstack/react-query";
import { loanTypes, locations } from "../../api/inventory.ts";
import { list } from "../../api/list.ts";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { CheckboxField } from "../../parts/tick.tsx";
import { useMay } from "../../shell/session.ts";
import { useWords } from "../../words/index.tsx";
import type { FormValues } from "../bulk/actions.ts";
import { BulkDialog, type FieldsProps } from "../bulk/dialog.tsx";
import { countSameNotes, currentValues, type ItemChange, MARK_PATHS } from "../bulk/items.ts";
import type { BulkOrder } from "../bulk/orders.ts";
import type { ListRow } from "../row.ts";
import type { ListWords } from "../words/en.ts";
import { useListWords } from "../words/index.tsx";

type ChangeKind = keyof ListWords["carts"]["changeKinds"];

const NONE = "none";
const CHANGES_FROM_LIST: readonly ChangeKind[] = [
  "permanentLocation",
  "temporaryLocation",
  "permanentLoanType",
  "temporaryLoanType",
];
/** Members that an item may be without; a permanent loan type it must have. */
const CLEARABLE: readonly ChangeKind[] = ["permanentLocation", "temporaryLocation", "temporaryLoanType"];

export function changeFromValues({ what, to, note, noteType, staffOnly }: FormValues): ItemChange | undefined {
  if (what === "note") {
    return note && noteType ? { note: { itemNoteTypeId: noteType, note, staffOnly: staffOnly === "yes" } } : undefined;
  }
  if (!what || !to) return undefined;
  if (what === "status") return { status: to };
  return { [what]: to === NONE ? null : { id: to } } as ItemChange;
}

export const changeAction = {
  suits: ({ item }: ListRow) => item !== undefined,
  order: ({ item }: ListRow, said: FormValues): BulkOrder | undefined => {
    const change = changeFromValues(said);
    if (!item || !change) return undefined;
    const { note, ...places } = change;
    const isSo = !note && JSON.stringify(currentValues(item, places)) === JSON.stringify(places);
    if (isSo) return undefined;
    return { do: "item", id: item.id, change, ...(note && { sameNotes: countSameNotes(item, note) }) };
  },
};

export function ChangeDialog({ rows, onClose }: { rows: readonly ListRow[]; onClose: () => void }) {
  const words = useWords();
  const own = useListWords();
  const names = useLocationAndLoanTypeNames();
  const inWords = ({ item }: ListRow, { what = "", to = "", note = "" }: FormValues) => {
    if (what === "note") return note;
    if (what === "status") {
      const status = item?.status.name ?? "";
      return own.bulk.becomes(words.statuses[status] ?? status, words.statuses[to] ?? to);
    }
    const place = item?.[what as "permanentLocation"];
    return own.bulk.becomes(place?.name ?? own.carts.nothing, names.get(to) ?? own.carts.nothing);
  };
  return (
    <BulkDialog
      runsAsJob
      name={own.carts.change}
      help={own.carts.changeHelp}
      action={changeAction}
      rows={rows}
      initial={{}}
      fields={ChangeFields}
      describeChange={inWords}
      onClose={onClose}
    />
  );
}

/** Names of locations and loan types by their ids. */
function useLocationAndLoanTypeNames(): Map<string, string> {
  const all = [...(useQuery(locations).data ?? []), ...(useQuery(loanTypes).data ?? [])];
  return new Map(all.map(({ id, name }) => [id, name]));
}

function ChangeFields({ values, setValues }: FieldsProps) {
  const words = useWords();
  const own = useListWords().carts;
  const may = useMay();
  const places = useQuery(locations).data ?? [];
  const types = useQuery(loanTypes).data ?? [];
  const marks = Object.entries(MARK_PATHS).filter(([, mark]) => may(`inventory.items.item.mark-${mark}.post`));
  const whats = (Object.keys(own.changeKinds) as ChangeKind[]).filter((what) =>
    what === "status" ? marks.length > 0 : may("inventory.items.item.put"),
  );
  const what = whats.find((one) => one === values.what);
  const options = {
    status: marks.map(([id]) => ({ id, name: words.statuses[id] ?? id })),
    permanentLocation: places,
    temporaryLocation: places,
    permanentLoanType: types,
    temporaryLoanType: types,
    note: [],
  };
  return (
    <>
      <Choice
        label={own.what}
        options={whats.map((id) => ({ id, name: own.changeKinds[id] }))}
        value={what ?? null}
        onChange={(what) => setValues({ what, to: "" })}
        isRequired
      />
      {what && (what === "status" || CHANGES_FROM_LIST.includes(what)) && (
        <Choice
          key={what}
          label={own.to}
          options={[...(CLEARABLE.includes(what) ? [{ id: NONE, name: own.nothing }] : []), ...options[what]]}
          value={values.to || null}
          onChange={(to) => setValues({ to })}
          isRequired
        />
      )}
      {what === "note" && <NoteFields {...{ values, setValues }} />}
    </>
  );
}

const noteTypes = queryOptions({
  queryKey: ["/item-note-types"],
  staleTime: 3_600_000,
  queryFn: async () =>
    (await list("/item-note-types", { limit: 2000, query: "cql.allRecords=1 sortBy name" })).itemNoteTypes,
});

function NoteFields({ values, setValues }: Omit<FieldsProps, "rows">) {
  const own = useListWords().carts;
  return (
    <>
      <Choice
        label={own.noteType}
        options={useQuery(noteTypes).data ?? []}
        value={values.noteType ?? null}
        onChange={(noteType) => setValues({ noteType })}
        isRequired
      />
      <Field label={own.note} value={values.note ?? ""} onChange={(note) => setValues({ note })} lines={2} isRequired />
      <CheckboxField value={values.staffOnly === "yes"} onChange={(yes) => setValues({ staffOnly: yes ? "yes" : "" })}>
        {own.staffOnly}
      </CheckboxField>
    </>
  );
}
