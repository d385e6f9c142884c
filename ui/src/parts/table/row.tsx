/** One row of a table. It is rendered again only when its own properties change. */

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

function UnmemoizedRow<Row>({ id, row, rowKey, index, columns, isTicked, isActive, tone }: Props<Row>) {
  return (
    <tr
      id={id}
      data-key={rowKey}
      // Row 1 is the row of headings.
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
        // The direction follows the text of the cell, so that a Latin title in an Arabic table is cut off at its end,
        // and call numbers are not reversed.
        <td
          key={column.id}
          className={column.kind}
          title={tooltipText(column.value(row))}
          {...(!column.kind && { dir: "auto" })}
        >
          {column.show ? column.show(row) : (column.value(row) as ReactNode)}
        </td>
      ))}
    </tr>
  );
}

/** A long text, which may be cut off in the cell, is shown in full when it is pointed at. */
const tooltipText = (value: string | number | undefined) =>
  typeof value === "string" && value.length > 12 && !/^\d{4}-\d\d-\d\dT/.test(value) ? value : undefined;

export const TableRow = memo(UnmemoizedRow) as typeof UnmemoizedRow;
