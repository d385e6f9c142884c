/** What stands in the columns of a table, and in which order its rows come. */

import type { ReactNode } from "react";
import type { Column } from "../csv.ts";

type Value = string | number | undefined;

export interface TableColumn<Row> {
  id: string;
  name: string;
  /** What rows are sorted by, and what a spreadsheet gets. Instants stay as the server writes them: so they sort. */
  value: (row: Row) => Value;
  /** What is seen, if not the value itself. */
  show?: (row: Row) => ReactNode;
  /** In rem; what is left over of the page goes to all of them. */
  width: number;
  kind?: "number" | "code";
  /** Not shown before somebody chooses it. */
  isExtra?: boolean;
  /** Also shown where there is little room. */
  isMain?: boolean;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** What is empty comes last, in both directions. */
export function sorted<Row>(rows: readonly Row[], column: TableColumn<Row> | undefined, isDown: boolean): Row[] {
  if (column === undefined) return [...rows];
  const valued = rows.map((row) => ({ row, value: column.value(row) }));
  const turn = isDown ? -1 : 1;
  return valued.sort((one, other) => compared(one.value, other.value, turn)).map(({ row }) => row);
}

function compared(one: Value, other: Value, turn: number): number {
  const [oneIsEmpty, otherIsEmpty] = [one, other].map((value) => value === undefined || value === "");
  if (oneIsEmpty || otherIsEmpty) return Number(oneIsEmpty) - Number(otherIsEmpty);
  if (typeof one === "number" && typeof other === "number") return (one - other) * turn;
  return collator.compare(String(one), String(other)) * turn;
}

/** The columns that the address names, in the table's own order; else those that are shown as a rule. */
export function shown<Row>(columns: readonly TableColumn<Row>[], asked: string, isNarrow: boolean) {
  const names = asked.split(",");
  const chosen = columns.filter(({ id }) => names.includes(id));
  if (chosen.length > 0) return chosen;
  return columns.filter(({ isExtra, isMain }) => (isNarrow ? isMain : !isExtra));
}

/** As a spreadsheet takes them: all columns, also those that are not shown. */
export const csvColumns = <Row>(columns: readonly TableColumn<Row>[]): Column<Row>[] =>
  columns.map(({ name, value }) => [name, value]);
