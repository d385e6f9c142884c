/** A new copy on a shelf. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../api/http.ts";
import { type Holdings, loanTypes, materialTypes } from "../api/inventory.ts";
import { Choice } from "../parts/choice.tsx";
import { Field } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { useWords } from "../words/index.tsx";

export function NewItem({ shelf }: { shelf: Holdings }) {
  const words = useWords();
  const client = useQueryClient();
  const kinds = useQuery(materialTypes).data ?? [];
  const terms = useQuery(loanTypes).data ?? [];
  const [barcode, setBarcode] = useState("");
  const [copyNumber, setCopyNumber] = useState("");
  const [kind, setKind] = useState<string>();
  const [term, setTerm] = useState<string>();
  return (
    <FormDialog
      title={words.inventory.newItem}
      submit={words.save}
      onSubmit={async () => {
        const body = {
          holdingsRecordId: shelf.id,
          barcode,
          ...(copyNumber && { copyNumber }),
          materialType: { id: kind ?? kinds[0]?.id },
          permanentLoanType: { id: term ?? terms[0]?.id },
          status: { name: "Available" },
        };
        await ask("/inventory/items", { method: "POST", body });
        await client.invalidateQueries({ queryKey: ["title"] });
      }}
    >
      <Field label={words.checkOut.item} value={barcode} onChange={setBarcode} isRequired autoFocus />
      <Field label={words.inventory.copyNumber} value={copyNumber} onChange={setCopyNumber} />
      <div className="pair">
        <Choice
          label={words.inventory.materialType}
          options={kinds}
          value={kind ?? kinds[0]?.id ?? null}
          onChange={setKind}
        />
        <Choice
          label={words.inventory.loanType}
          options={terms}
          value={term ?? terms[0]?.id ?? null}
          onChange={setTerm}
        />
      </div>
    </FormDialog>
  );
}
