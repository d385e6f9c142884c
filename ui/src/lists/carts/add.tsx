/** From the ticked rows of a list into an item list. */

import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { Opens } from "../../parts/opens.tsx";
import { useOwner } from "../bulk/dialog.tsx";
import type { ListRow } from "../row.ts";
import { useListWords } from "../words/index.tsx";
import { addTo, makeCart, useCarts } from "./kept.ts";

const NEW = "new";

export function AddToCart({ rows }: { rows: readonly ListRow[] }) {
  const own = useListWords().carts;
  const ids = rows.flatMap(({ itemId }) => itemId ?? []);
  if (ids.length === 0) return null;
  return (
    <Opens>
      <Button>{own.addTicked}</Button>
      <Adding ids={ids} />
    </Opens>
  );
}

function Adding({ ids }: { ids: readonly string[] }) {
  const own = useListWords().carts;
  const owner = useOwner();
  const carts = useCarts(owner);
  const [chosen, choose] = useState(carts[0]?.name ?? NEW);
  const [name, setName] = useState("");
  return (
    <FormDialog
      title={own.addTicked}
      submit={own.add}
      onSubmit={async () => {
        const to = chosen === NEW ? name.trim() : chosen;
        makeCart(owner, to);
        addTo(owner, to, ids);
      }}
    >
      {carts.length > 0 && (
        <Choice
          label={own.addTo}
          options={[...carts.map(({ name }) => ({ id: name, name })), { id: NEW, name: own.newOne }]}
          value={chosen}
          onChange={choose}
        />
      )}
      {chosen === NEW && (
        <Field label={own.name} help={own.here} value={name} onChange={setName} isRequired autoFocus />
      )}
    </FormDialog>
  );
}
