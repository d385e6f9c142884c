/** Asks once more before a title, holdings or an item is deleted, and says what keeps it from being deleted. */

import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { ask } from "../../api/http.ts";
import { FormDialog } from "../../parts/form-dialog.tsx";
import { announce } from "../../scanning/signals.tsx";
import { useMay } from "../../shell/session.ts";
import { useWords } from "../../words/index.tsx";
import { useLinkedWords } from "../words/linked.tsx";
import { inOwnWords, refuseItem, refuseTitle } from "./why-not.ts";

export type Kind = "title" | "holdings" | "item";

const PATHS: Record<Kind, string> = {
  title: "/inventory/instances",
  holdings: "/holdings-storage/holdings",
  item: "/inventory/items",
};

export const MAY_DELETE: Record<Kind, string> = {
  title: "inventory.instances.item.delete",
  holdings: "inventory-storage.holdings.item.delete",
  item: "inventory.items.item.delete",
};

interface Props {
  kind: Kind;
  id: string;
  name: string;
  /** Where one is when it is gone. */
  next: string;
  onClose: () => void;
}

export function Delete({ kind, id, name, next, onClose }: Props) {
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
        if (kind === "item") await refuseItem(id, may, own, words);
        if (kind === "title") await refuseTitle(id, may, own);
        try {
          await ask(`${PATHS[kind]}/${id}`, { method: "DELETE" });
        } catch (error) {
          throw inOwnWords(error, own);
        }
      }}
      onDone={() => {
        announce(own.done(name));
        onClose();
        // The page of what is gone is left before it would be read again.
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
