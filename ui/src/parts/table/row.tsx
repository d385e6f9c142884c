/** One row of a table. It is drawn anew only when something of its own changes. */

import { memo, type ReactNode } from "react";
import type { TableColumn } from "./column.ts";

interface Props<Row> {
  id: string;
  row: Row;
  rowKey: string;
  index: number;
  columns: readonly TableColumn<Row>[];
  isTicked: boolean;
  isActive: boolean;
  tone: string | undefined;
}

function AnyRow<Row>({ id, row, rowKey, index, columns, isTicked, isActive, tone }: Props<Row>) {
  return (
    <tr
      id={id}
      data-key={rowKey}
      // The first is the row of headings.
      aria-rowindex={index + 2}
      aria-selected={isTicked}
      data-active={isActive || undefined}
      data-selected={isTicked || undefined}
      className={tone}
    >
      <td className="table-tick">
        <span className="tick" aria-hidden="true" />
      </td>
      {columns.map((column) => (
        // By its own words, so that a Latin title among Arabic ones is cut at its end, and no call number is turned round.
        <td
          key={column.id}
          className={column.kind}
          title={full(column.value(row))}
          {...(!column.kind && { dir: "auto" })}
        >
          {column.show ? column.show(row) : (column.value(row) as ReactNode)}
        </td>
      ))}
    </tr>
  );
}

/** What may not fit is read by pointing at it. */
const full = (value: string | number | undefined) =>
  typeof value === "string" && value.length > 12 && !/^\d{4}-\d\d-\d\dT/.test(value) ? value : undefined;

export const TableRow = memo(AnyRow) as typeof AnyRow;
