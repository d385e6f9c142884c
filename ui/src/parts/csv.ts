/** Lists for a spreadsheet. */

import { saveFile } from "./download.ts";

/** A heading, and what stands below it for each record. */
export type Column<T> = readonly [heading: string, value: (record: T) => string | number | undefined];

export function saveCsv<T>(name: string, columns: readonly Column<T>[], records: readonly T[]): void {
  // The mark at the front tells spreadsheets that it is UTF-8.
  saveFile(name, new Blob([`\uFEFF${csv(columns, records)}`], { type: "text/csv" }));
}

export function csv<T>(columns: readonly Column<T>[], records: readonly T[]): string {
  const lines = [
    columns.map(([heading]) => heading),
    ...records.map((record) => columns.map(([, value]) => String(value(record) ?? ""))),
  ];
  return lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}

/** Quoted where it must be; what a spreadsheet would take for a formula is made plain text. */
export function cell(value: string): string {
  const plain = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
