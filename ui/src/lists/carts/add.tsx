/** The button that adds the items of ticked rows to an item list. */

import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { DialogOpener } from "../../parts/opens.tsx";
import { useOwnerKey } from "../bulk/dialog.tsx";
import type { ListRow } from "../row.ts";
import { useListWords } from "../words/index.tsx";
import { addToCart, makeCart, useCarts } from "./kept.ts";

const NEW_LIST = "new";

export function AddToCart({ rows }: { rows: readonly ListRow[] }) {
  const own = useListWords().carts;
  const ids = rows.flatMap(({ itemId }) => itemId ?? []);
  if (ids.length === 0) return null;
  return (
    <DialogOpener>
      <Button>{own.addTicked}</Button>
      <AddDialog ids={ids} />
    </DialogOpener>
  );
}

function AddDialog({ ids }: { ids: readonly string[] }) {
  const own = useListWords().carts;
  const owner = useOwnerKey();
  const carts = useCarts(owner);
  const [chosen, choose] = useState(carts[0]?.name ?? NEW_LIST);
  const [name, setName] = useState("");
  return (
    <FormDialog
      title={own.addTicked}
      submit={own.add}
      onSubmit={async () => {
        const to = chosen === NEW_LIST ? name.trim() : chosen;
        makeCart(owner, to);
        addToCart(owner, to, ids);
      }}
    >
      {carts.length > 0 && (
        <Choice
          label={own.addTo}
          options={[...carts.map(({ name }) => ({ id: name, name })), { id: NEW_LIST, name: own.newOne }]}
          value={chosen}
          onChange={choose}
        />
      )}
      {chosen === NEW_LIST && (
        <Field label={own.name} help={own.here} value={name} onChange={setName} isRequired autoFocus />
      )}
    </FormDialog>
  );
}
