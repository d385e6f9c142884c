/**
 * Suppresses a title from discovery and from staff, and marks its MARC record as deleted, without removing anything.
 */

import { useQueryClient } from "@tanstack/react-query";
import { ask } from "../../api/http.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useLinkedWords } from "../words/linked.tsx";

export function MarkDeletedDialog({ id, name, onClose }: { id: string; name: string; onClose: () => void }) {
  const own = useLinkedWords().mark;
  const client = useQueryClient();
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={own.title(name)}
      submit={own.button}
      danger
      onSubmit={async () => {
        await ask(`/inventory/instances/${id}/mark-deleted`, { method: "DELETE" });
        await Promise.all(["title", "titles", "search"].map((key) => client.invalidateQueries({ queryKey: [key] })));
        announce(own.done(name));
      }}
      onDone={onClose}
    >
      <p>{own.help}</p>
    </FormDialog>
  );
}
