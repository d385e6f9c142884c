/** Buttons for the ticked rows: actions that the user has permission for and that fit at least one of the rows. */

import { type ReactNode, useState } from "react";
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { Button } from "../../parts/button.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats, useWords } from "../../words/index.tsx";
import type { ListRow } from "../row.ts";
import { useListWords } from "../words/index.tsx";
import { BULK_ACTIONS, type BulkAction, type FormValues } from "./actions.ts";
import { BulkDialog } from "./dialog.tsx";
import { ACTION_FIELDS, initialValues } from "./fields.tsx";
import { useRequestChangeText } from "./request-words.ts";

interface ActionTexts {
  do: string;
  help: string;
  /** Label of the form's button, if it is not `do`. */
  submit?: string;
}

interface ChosenAction {
  action: BulkAction;
  /** The rows that were ticked when the button was pressed. The list below the dialog may be reloaded meanwhile. */
  rows: readonly ListRow[];
}

/** `of`: what the buttons are about, for their accessible names, where several rows have such buttons. */
type RenderActionButtons = (rows: readonly ListRow[], of?: string) => ReactNode;

export function useBulkActions(): [
  bar: RenderActionButtons,
  dialog: ReactNode,
  menu: (rows: readonly ListRow[], of: string) => ReactNode,
] {
  const words = useWords();
  const own = useListWords().bulk;
  const formats = useFormats();
  const may = useMay();
  const [chosen, choose] = useState<ChosenAction>();
  const saysOf = ({ name }: BulkAction) =>
    own.actions[name] ?? (words.loanActions as Record<string, ActionTexts>)[name];
  const possible = (rows: readonly ListRow[]) =>
    BULK_ACTIONS.filter(({ needs, suits }) => may(...needs) && rows.some(suits));
  const bar: RenderActionButtons = (rows, of) =>
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
  const ofRequest = useRequestChangeText();
  const inWords = (row: ListRow, said: FormValues) => {
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
      initial={initialValues(chosen.action.name, chosen.rows, formats)}
      fields={ACTION_FIELDS[chosen.action.name]}
      describeChange={inWords}
      onClose={() => choose(undefined)}
    />
  );
  return [bar, dialog, menu];
}
