/** One change of all ticked copies: status, locations, loan types, a note. */

import { queryOptions, useQuery } from "@tanstack/react-query";
import { loanTypes, locations } from "../../api/inventory.ts";
import { list } from "../../api/list.ts";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { Tick } from "../../parts/tick.tsx";
import { useMay } from "../../shell/session.ts";
import { useWords } from "../../words/index.tsx";
import type { Said } from "../bulk/actions.ts";
import { BulkDialog, type FieldsProps } from "../bulk/dialog.tsx";
import { beforeOf, type ItemChange, MARKS } from "../bulk/items.ts";
import type { Order } from "../bulk/orders.ts";
import type { ListRow } from "../row.ts";
import type { ListWords } from "../words/en.ts";
import { useListWords } from "../words/index.tsx";

type What = keyof ListWords["carts"]["whats"];

const NONE = "none";
const PLACES: readonly What[] = ["permanentLocation", "temporaryLocation", "permanentLoanType", "temporaryLoanType"];
/** What a copy may do without; its loan type it needs. */
const OPTIONAL: readonly What[] = ["permanentLocation", "temporaryLocation", "temporaryLoanType"];

export function wantedChange({ what, to, note, noteType, staffOnly }: Said): ItemChange | undefined {
  if (what === "note") {
    return note && noteType ? { note: { itemNoteTypeId: noteType, note, staffOnly: staffOnly === "yes" } } : undefined;
  }
  if (!what || !to) return undefined;
  if (what === "status") return { status: to };
  return { [what]: to === NONE ? null : { id: to } } as ItemChange;
}

export const changing = {
  suits: ({ item }: ListRow) => item !== undefined,
  order: ({ item }: ListRow, said: Said): Order | undefined => {
    const change = wantedChange(said);
    if (!item || !change) return undefined;
    const { note: _, ...places } = change;
    const isSo = !change.note && JSON.stringify(beforeOf(item, places)) === JSON.stringify(places);
    return isSo ? undefined : { do: "item", id: item.id, change };
  },
};

export function ChangeDialog({ rows, onClose }: { rows: readonly ListRow[]; onClose: () => void }) {
  const words = useWords();
  const own = useListWords();
  const names = useNames();
  const inWords = ({ item }: ListRow, { what = "", to = "", note = "" }: Said) => {
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
      isJob
      name={own.carts.change}
      help={own.carts.changeHelp}
      action={changing}
      rows={rows}
      initial={{}}
      fields={ChangeFields}
      inWords={inWords}
      onClose={onClose}
    />
  );
}

/** Of locations and loan types. */
function useNames(): Map<string, string> {
  const all = [...(useQuery(locations).data ?? []), ...(useQuery(loanTypes).data ?? [])];
  return new Map(all.map(({ id, name }) => [id, name]));
}

function ChangeFields({ said, say }: FieldsProps) {
  const words = useWords();
  const own = useListWords().carts;
  const may = useMay();
  const places = useQuery(locations).data ?? [];
  const types = useQuery(loanTypes).data ?? [];
  const marks = Object.entries(MARKS).filter(([, mark]) => may(`inventory.items.item.mark-${mark}.post`));
  const whats = (Object.keys(own.whats) as What[]).filter((what) =>
    what === "status" ? marks.length > 0 : may("inventory.items.item.put"),
  );
  const what = whats.find((one) => one === said.what);
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
        options={whats.map((id) => ({ id, name: own.whats[id] }))}
        value={what ?? null}
        onChange={(what) => say({ what, to: "" })}
        isRequired
      />
      {what && (what === "status" || PLACES.includes(what)) && (
        <Choice
          key={what}
          label={own.to}
          options={[...(OPTIONAL.includes(what) ? [{ id: NONE, name: own.nothing }] : []), ...options[what]]}
          value={said.to || null}
          onChange={(to) => say({ to })}
          isRequired
        />
      )}
      {what === "note" && <NoteFields {...{ said, say }} />}
    </>
  );
}

const noteTypes = queryOptions({
  queryKey: ["/item-note-types"],
  staleTime: 3_600_000,
  queryFn: async () =>
    (await list("/item-note-types", { limit: 2000, query: "cql.allRecords=1 sortBy name" })).itemNoteTypes,
});

function NoteFields({ said, say }: Omit<FieldsProps, "rows">) {
  const own = useListWords().carts;
  return (
    <>
      <Choice
        label={own.noteType}
        options={useQuery(noteTypes).data ?? []}
        value={said.noteType ?? null}
        onChange={(noteType) => say({ noteType })}
        isRequired
      />
      <Field label={own.note} value={said.note ?? ""} onChange={(note) => say({ note })} lines={2} isRequired />
      <Tick value={said.staffOnly === "yes"} onChange={(yes) => say({ staffOnly: yes ? "yes" : "" })}>
        {own.staffOnly}
      </Tick>
    </>
  );
}
