import { pluralizer } from "../../../words/counting.ts";

export const en = {
  columns: "Columns",
  asUsual: "Reset to default",
  roomy: "Taller rows",
  csv: "Save as CSV",
  tickAll: "Tick all",
  ticked: (count: string) => `${count} ticked`,
  tickNone: "Untick",
  rows: (count: number) => pluralizer("en")(count, { one: "{} row", other: "{} rows" }),
  withTicked: "With the ticked rows",
  help: "Arrows go from row to row, space ticks, with shift a range, Ctrl+A all; Enter opens.",
};

export type TableWords = typeof en;
