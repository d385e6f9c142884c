/** Saves lists as CSV files for spreadsheets. */

import { saveFile } from "./download.ts";

/** A column of the file: its heading, and the value of each record. */
export type CsvColumn<T> = readonly [heading: string, value: (record: T) => string | number | undefined];

export function saveCsv<T>(name: string, columns: readonly CsvColumn<T>[], records: readonly T[]): void {
  // The byte order mark tells spreadsheets that the file is UTF-8.
  saveFile(name, new Blob([`\uFEFF${toCsv(columns, records)}`], { type: "text/csv" }));
}

export function toCsv<T>(columns: readonly CsvColumn<T>[], records: readonly T[]): string {
  const lines = [
    columns.map(([heading]) => heading),
    ...records.map((record) => columns.map(([, value]) => String(value(record) ?? ""))),
  ];
  return lines.map((line) => `${line.map(toCsvCell).join(",")}\r\n`).join("");
}

/** Quotes a cell where CSV requires it; an apostrophe keeps a spreadsheet from running a text as a formula. */
export function toCsvCell(value: string): string {
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
