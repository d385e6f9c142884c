/**
 * The line above a table: the number of rows or of ticked rows, the actions on them, the choice of columns, and CSV.
 */

import type { ReactNode } from "react";
import { Dialog, DialogTrigger } from "react-aria-components/Dialog";
import { Popover } from "react-aria-components/Popover";
import { Switch } from "react-aria-components/Switch";
import { useFormats } from "../../words/index.tsx";
import { Button } from "../button.tsx";
import { saveCsv } from "../csv.ts";
import { CheckboxField } from "../tick.tsx";
import { csvColumns, type TableColumn } from "./column.ts";
import { tablePreferences } from "./density.ts";
import { useTableWords } from "./words/index.tsx";

interface Props<Row> {
  columns: readonly TableColumn<Row>[];
  visible: readonly TableColumn<Row>[];
  onColumns: (ids: string[] | undefined) => void;
  rows: readonly Row[];
  ticked: readonly Row[];
  onUntick: () => void;
  fileName: string;
  actions: ((ticked: readonly Row[]) => ReactNode) | undefined;
  children: ReactNode;
}

export function TableTools<Row>({ rows, ticked, onUntick, fileName, actions, children, ...columns }: Props<Row>) {
  const words = useTableWords();
  const formats = useFormats();
  return (
    <div className="table-tools">
      <p role="status">{ticked.length > 0 ? words.ticked(formats.number(ticked.length)) : words.rows(rows.length)}</p>
      {ticked.length > 0 ? (
        // biome-ignore lint/a11y/useSemanticElements: a field set is for fields
        <div className="table-actions" role="group" aria-label={words.withTicked}>
          {actions?.(ticked)}
          <Button kind="quiet" onPress={onUntick}>
            {words.tickNone}
          </Button>
        </div>
      ) : (
        <div className="table-actions">{children}</div>
      )}
      <ColumnChoice {...columns} />
      <Button
        kind="quiet"
        isDisabled={rows.length === 0}
        onPress={() => saveCsv(`${fileName}.csv`, csvColumns(columns.columns), ticked.length > 0 ? ticked : rows)}
      >
        {words.csv}
      </Button>
    </div>
  );
}

function ColumnChoice<Row>({ columns, visible, onColumns }: Pick<Props<Row>, "columns" | "visible" | "onColumns">) {
  const words = useTableWords();
  const { density } = tablePreferences.use();
  const ids = visible.map(({ id }) => id);
  const choose = (id: string, isWanted: boolean) =>
    onColumns(columns.map((one) => one.id).filter((one) => (one === id ? isWanted : ids.includes(one))));
  return (
    <DialogTrigger>
      <Button kind="quiet">{words.columns}</Button>
      <Popover className="popover">
        <Dialog className="table-columns" aria-label={words.columns}>
          {columns.map(({ id, name }) => (
            <CheckboxField
              key={id}
              value={ids.includes(id)}
              // The last column cannot be hidden, since a table without columns shows nothing.
              onChange={(isWanted) => (isWanted || ids.length > 1) && choose(id, isWanted)}
            >
              {name}
            </CheckboxField>
          ))}
          <Button kind="quiet" onPress={() => onColumns(undefined)}>
            {words.asUsual}
          </Button>
          <Switch
            className="switch"
            isSelected={density === "roomy"}
            onChange={(isRoomy) => tablePreferences.set({ density: isRoomy ? "roomy" : "dense" })}
          >
            <span className="track" aria-hidden="true" />
            {words.roomy}
          </Switch>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
