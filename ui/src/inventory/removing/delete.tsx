/** Asks before a title, holdings or an item is deleted, and says what prevents it. */

import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { ask } from "../../api/http.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useWords } from "../../words/index.tsx";
import { useLinkedWords } from "../words/linked.tsx";
import { throwIfItemInUse, throwIfTitleRequested, translateDeleteError } from "./why-not.ts";

export type DeletableKind = "title" | "holdings" | "item";

const PATHS: Record<DeletableKind, string> = {
  title: "/inventory/instances",
  holdings: "/holdings-storage/holdings",
  item: "/inventory/items",
};

export const DELETE_PERMISSIONS: Record<DeletableKind, string> = {
  title: "inventory.instances.item.delete",
  holdings: "inventory-storage.holdings.item.delete",
  item: "inventory.items.item.delete",
};

interface Props {
  kind: DeletableKind;
  id: string;
  name: string;
  /** The path that is opened after the record has been deleted. */
  next: string;
  onClose: () => void;
}

export function DeleteDialog({ kind, id, name, next, onClose }: Props) {
  const words = useWords();
  const own = useLinkedWords().remove;
  const may = useMay();
  const client = useQueryClient();
  const [path, navigate] = useLocation();
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={own.titles[kind](name)}
      submit={own.button}
      danger
      onSubmit={async () => {
        if (kind === "item") await throwIfItemInUse(id, may, own, words);
        if (kind === "title") await throwIfTitleRequested(id, may, own);
        try {
          await ask(`${PATHS[kind]}/${id}`, { method: "DELETE" });
        } catch (error) {
          throw translateDeleteError(error, own);
        }
      }}
      onDone={() => {
        announce(own.done(name));
        onClose();
        // Leaves the page of the deleted record before it would be loaded again.
        if (path !== next) navigate(next, { replace: true });
        for (const key of ["title", "titles", "search", "item"]) {
          void client.invalidateQueries({ queryKey: [key], refetchType: "active" });
        }
      }}
    >
      <p>{own.help}</p>
    </FormDialog>
  );
}
