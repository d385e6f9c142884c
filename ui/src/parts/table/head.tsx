/** The headings of a table. Pressing one sorts by its column; pressing it again reverses the order. */

import { CheckboxField } from "../tick.tsx";
import type { TableColumn } from "./column.ts";
import { useTableWords } from "./words/index.tsx";

interface Props<Row> {
  columns: readonly TableColumn<Row>[];
  sort: { by: string; isDown: boolean };
  onSort: (by: string, isDown: boolean) => void;
  areAllTicked: boolean;
  onTickAll: (all: boolean) => void;
}

export function TableHead<Row>({ columns, sort, onSort, areAllTicked, onTickAll }: Props<Row>) {
  const words = useTableWords();
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" className="table-tick">
          <CheckboxField value={areAllTicked} onChange={onTickAll}>
            <span className="unseen">{words.tickAll}</span>
          </CheckboxField>
        </th>
        {columns.map(({ id, name, kind }) => {
          const isBy = sort.by === id;
          const order = sort.isDown ? "descending" : "ascending";
          return (
            <th key={id} scope="col" className={kind} aria-sort={isBy ? order : undefined}>
              <button type="button" onClick={() => onSort(id, isBy && !sort.isDown)}>
                {name}
                {isBy && <span aria-hidden="true">{sort.isDown ? " ▾" : " ▴"}</span>}
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
