/** The buttons for the ticked rows: what one may do, and what suits at least one of them. */

import { type ReactNode, useState } from "react";
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { Button } from "../../parts/button.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import type { ListRow } from "../row.ts";
import { useListWords } from "../words/index.tsx";
import { BULK_ACTIONS, type BulkAction, type Said } from "./actions.ts";
import { BulkDialog } from "./dialog.tsx";
import { FIELDS, initialOf } from "./fields.tsx";
import { useRequestInWords } from "./request-words.ts";

interface Says {
  do: string;
  help: string;
  /** What the button of the form says, if not the same. */
  submit?: string;
}

interface Chosen {
  action: BulkAction;
  /** Those that were ticked when the button was pressed: the list may be loaded anew below the dialog. */
  rows: readonly ListRow[];
}

/** `of` tells the buttons of one row from those of others. */
type Bar = (rows: readonly ListRow[], of?: string) => ReactNode;

export function useBulk(): [bar: Bar, dialog: ReactNode, menu: (rows: readonly ListRow[], of: string) => ReactNode] {
  const words = useWords();
  const own = useListWords().bulk;
  const formats = useFormats();
  const may = useMay();
  const [chosen, choose] = useState<Chosen>();
  const saysOf = ({ name }: BulkAction) => own.actions[name] ?? (words.loanActions as Record<string, Says>)[name];
  const possible = (rows: readonly ListRow[]) =>
    BULK_ACTIONS.filter(({ needs, suits }) => may(...needs) && rows.some(suits));
  const bar: Bar = (rows, of) =>
    possible(rows).map((action) => (
      <Button
        key={action.name}
        {...(of !== undefined && { kind: "quiet", "aria-label": `${saysOf(action)?.do}: ${of}` })}
        onPress={() => choose({ action, rows })}
      >
        {saysOf(action)?.do}
      </Button>
    ));
  const menu = (rows: readonly ListRow[], of: string) => {
    const actions = possible(rows);
    if (actions.length === 0) return null;
    return (
      <MenuTrigger>
        <Button kind="quiet" aria-label={`${words.more}: ${of}`}>
          {words.more}
        </Button>
        <Popover className="popover">
          <Menu
            className="options"
            onAction={(name) => {
              const action = actions.find((one) => one.name === name);
              if (action) choose({ action, rows });
            }}
          >
            {actions.map((action) => (
              <MenuItem className="option" id={action.name} key={action.name}>
                {saysOf(action)?.do}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
    );
  };
  const ofRequest = useRequestInWords();
  const inWords = (row: ListRow, said: Said) => {
    if (!chosen) return "";
    const name = saysOf(chosen.action)?.do ?? "";
    if (row.request) return ofRequest(chosen.action.name, row.request, said) || name;
    if (chosen.action.name === "renew") return own.becomes(formats.due(row.loan?.dueDate ?? ""), own.byPolicy);
    if (said.day) return own.becomes(formats.due(row.loan?.dueDate ?? ""), formats.date(said.day));
    return name;
  };
  const dialog = chosen && (
    <BulkDialog
      key={chosen.action.name}
      name={saysOf(chosen.action)?.do ?? ""}
      submit={saysOf(chosen.action)?.submit}
      isDanger={chosen.action.name === "cancel"}
      help={saysOf(chosen.action)?.help ?? ""}
      action={chosen.action}
      rows={chosen.rows}
      initial={initialOf(chosen.action.name, chosen.rows, formats)}
      fields={FIELDS[chosen.action.name]}
      inWords={inWords}
      onClose={() => choose(undefined)}
    />
  );
  return [bar, dialog, menu];
}
