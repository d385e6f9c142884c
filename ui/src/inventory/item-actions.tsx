/** The actions on an item: placing a request, and marking it with another status. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { ask } from "../api/http.ts";
import type { Item } from "../api/inventory.ts";
import { Button } from "../parts/button.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { NewRequestDialog } from "../requests/new-request.tsx";
import { useMay } from "../shell/session.ts";
import { useWords } from "../words/index.tsx";

/** The statuses that staff can set by hand; FOLIO has a call for each. */
const STATUS_MARKS = [
  "missing",
  "long-missing",
  "withdrawn",
  "in-process",
  "in-process-non-requestable",
  "restricted",
  "unavailable",
  "intellectual-item",
  "unknown",
] as const;
type StatusMark = (typeof STATUS_MARKS)[number];

export function ItemActions({ item, instanceId, title }: { item: Item; instanceId: string; title: string }) {
  const words = useWords();
  const may = useMay();
  const [mark, setMark] = useState<StatusMark>();
  const barcode = item.barcode ?? item.id;
  const marks = STATUS_MARKS.filter((one) => may(`inventory.items.item.mark-${one}.post`));
  return (
    <div className="actions">
      {may("circulation.requests.item.post") && (
        <DialogOpener>
          <Button kind="quiet" aria-label={`${words.inventory.request}: ${barcode}`}>
            {words.inventory.request}
          </Button>
          <NewRequestDialog instanceId={instanceId} item={item} title={title} />
        </DialogOpener>
      )}
      {marks.length > 0 && (
        <MenuTrigger>
          <AriaButton className="button quiet" aria-label={`${words.inventory.mark}: ${barcode}`}>
            {words.inventory.mark}
          </AriaButton>
          <Popover className="popover">
            <Menu className="options" onAction={(name) => setMark(marks.find((one) => one === name))}>
              {marks.map((one) => (
                <MenuItem className="option" id={one} key={one}>
                  {words.inventory.marks[one]}
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      {mark && <MarkDialog item={item} mark={mark} instanceId={instanceId} onClose={() => setMark(undefined)} />}
    </div>
  );
}

function MarkDialog({
  item,
  mark,
  instanceId,
  onClose,
}: {
  item: Item;
  mark: StatusMark;
  instanceId: string;
  onClose: () => void;
}) {
  const words = useWords();
  const client = useQueryClient();
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={words.inventory.markTitle(item.barcode ?? "", words.inventory.marks[mark])}
      submit={words.inventory.mark}
      onSubmit={async () => {
        await ask(`/inventory/items/${item.id}/mark-${mark}`, { method: "POST" });
        await Promise.all([["title", instanceId], ["item"]].map((queryKey) => client.invalidateQueries({ queryKey })));
      }}
    >
      <p>{words.inventory.markHelp}</p>
    </FormDialog>
  );
}
