/** What the library has of a title at one place: where that is, its call number, what is to be known about it. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ask } from "../api/http.ts";
import { type Holdings, holdingsNoteTypes, locations } from "../api/inventory.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { useDraft } from "../parts/draft.ts";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { Several } from "../parts/several.tsx";
import { Tick } from "../parts/tick.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";

export function EditHoldings({ shelf, place }: { shelf: Holdings; place: string }) {
  const words = useWords();
  const may = useMay();
  if (!may("inventory-storage.holdings.item.put")) return null;
  return (
    <Opens>
      <Button aria-label={`${words.editing.holdings}: ${place}`}>{words.editing.holdings}</Button>
      <EditDialog shelf={shelf} />
    </Opens>
  );
}

function EditDialog({ shelf }: { shelf: Holdings }) {
  const words = useWords();
  const says = words.editing;
  const client = useQueryClient();
  const places = useQuery(locations).data ?? [];
  const kinds = useQuery(holdingsNoteTypes).data ?? [];
  const { draft, change, save } = useDraft(shelf);
  const path = `/holdings-storage/holdings/${shelf.id}`;
  return (
    <FormDialog
      title={says.holdings}
      submit={words.save}
      onSubmit={async () => {
        await save(
          (body) => ask(path, { method: "PUT", body: withoutBlanks(body) }),
          () => ask<Holdings>(path),
        );
        await client.invalidateQueries({ queryKey: ["title", shelf.instanceId] });
      }}
    >
      <Choice
        label={says.fields.permanentLocationId}
        options={places}
        value={draft.permanentLocationId}
        onChange={(permanentLocationId) => change({ permanentLocationId })}
      />
      <div className="pair">
        <Field
          label={says.fields.callNumberPrefix}
          value={draft.callNumberPrefix ?? ""}
          onChange={(callNumberPrefix) => change({ callNumberPrefix })}
        />
        <Field
          label={says.fields.callNumber}
          value={draft.callNumber ?? ""}
          onChange={(callNumber) => change({ callNumber })}
        />
      </div>
      <div className="pair">
        <Field
          label={says.fields.callNumberSuffix}
          value={draft.callNumberSuffix ?? ""}
          onChange={(callNumberSuffix) => change({ callNumberSuffix })}
        />
        <Field
          label={words.inventory.copyNumber}
          value={draft.copyNumber ?? ""}
          onChange={(copyNumber) => change({ copyNumber })}
        />
      </div>
      <Several
        legend={says.fields.notes}
        add={says.addNote}
        parts={draft.notes}
        blank={{ note: "", ...(kinds[0] && { holdingsNoteTypeId: kinds[0].id }), staffOnly: false }}
        onChange={(notes) => change({ notes })}
      >
        {(part, set) => (
          <>
            <Field label={says.note} value={part.note ?? ""} onChange={(note) => set({ note })} />
            <Choice
              label={says.kind}
              options={kinds}
              value={part.holdingsNoteTypeId ?? null}
              onChange={(holdingsNoteTypeId) => set({ holdingsNoteTypeId })}
            />
            <Tick value={part.staffOnly} onChange={(staffOnly) => set({ staffOnly })}>
              {says.staffOnly}
            </Tick>
          </>
        )}
      </Several>
      <Tick value={draft.discoverySuppress} onChange={(discoverySuppress) => change({ discoverySuppress })}>
        {says.fields.discoverySuppress}
      </Tick>
    </FormDialog>
  );
}

/** Lines that were added and left empty are none, and neither is an emptied field. */
function withoutBlanks(record: Holdings): Holdings {
  const filled = Object.entries(record).filter(([, value]) => value !== "");
  return {
    ...(Object.fromEntries(filled) as unknown as Holdings),
    notes: (record.notes ?? []).filter(({ note }) => note?.trim()),
  };
}
