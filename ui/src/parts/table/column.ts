/** The columns of a table, and the order of its rows. */

import type { ReactNode } from "react";
import type { CsvColumn } from "../csv.ts";

type CellValue = string | number | undefined;

export interface TableColumn<Row> {
  id: string;
  name: string;
  /**
   * The value that rows are sorted by and that a spreadsheet gets. Instants stay as ISO 8601 texts, which sort
   * correctly.
   */
  value: (row: Row) => CellValue;
  /** What the cell shows, if it is not the value itself. */
  show?: (row: Row) => ReactNode;
  /** In rem; the remaining width of the page is shared by all columns. */
  width: number;
  kind?: "number" | "code";
  /** Hidden until staff choose the column. */
  isExtra?: boolean;
  /** Also shown on narrow screens. */
  isMain?: boolean;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Empty values come last in both directions. */
export function sortRows<Row>(rows: readonly Row[], column: TableColumn<Row> | undefined, isDown: boolean): Row[] {
  if (column === undefined) return [...rows];
  const valued = rows.map((row) => ({ row, value: column.value(row) }));
  const turn = isDown ? -1 : 1;
  return valued.sort((one, other) => compareValues(one.value, other.value, turn)).map(({ row }) => row);
}

function compareValues(one: CellValue, other: CellValue, turn: number): number {
  const [oneIsEmpty, otherIsEmpty] = [one, other].map((value) => value === undefined || value === "");
  if (oneIsEmpty || otherIsEmpty) return Number(oneIsEmpty) - Number(otherIsEmpty);
  if (typeof one === "number" && typeof other === "number") return (one - other) * turn;
  return collator.compare(String(one), String(other)) * turn;
}

/** The columns that the address names, in the table's own order; otherwise the default ones. */
export function visibleColumns<Row>(columns: readonly TableColumn<Row>[], asked: string, isNarrow: boolean) {
  const names = asked.split(",");
  const chosen = columns.filter(({ id }) => names.includes(id));
  if (chosen.length > 0) return chosen;
  return columns.filter(({ isExtra, isMain }) => (isNarrow ? isMain : !isExtra));
}

/** All columns for a CSV file, also those that are not shown. */
export const csvColumns = <Row>(columns: readonly TableColumn<Row>[]): CsvColumn<Row>[] =>
  columns.map(({ name, value }) => [name, value]);
