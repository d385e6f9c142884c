/** A list for a spreadsheet. */

import type { PatronRequest } from "../api/records.ts";
import type { Words } from "../words/en.ts";

export function exportCsv(name: string, requests: readonly PatronRequest[], words: Words): void {
  const columns: [string, (request: PatronRequest) => string | number | undefined][] = [
    [words.requests.columns.title, ({ instance }) => instance?.title],
    [words.checkOut.item, ({ item }) => item?.barcode],
    [words.requests.columns.callNumber, ({ item }) => item?.callNumber],
    [words.requests.columns.location, ({ item }) => item?.location?.name],
    [words.requests.type, ({ requestType }) => words.requestTypes[requestType] ?? requestType],
    [words.requests.columns.status, ({ status }) => words.statuses[status] ?? status],
    [words.requests.columns.position, ({ position }) => position],
    [words.patrons.lastName, ({ requester }) => requester?.lastName],
    [words.patrons.firstName, ({ requester }) => requester?.firstName],
    [words.patron.barcode, ({ requester }) => requester?.barcode],
    [words.requests.pickup, ({ pickupServicePoint }) => pickupServicePoint?.name],
    [words.requests.columns.date, ({ requestDate }) => requestDate],
    [words.requests.columns.until, ({ holdShelfExpirationDate }) => holdShelfExpirationDate],
  ];
  const lines = [
    columns.map(([heading]) => heading),
    ...requests.map((request) => columns.map(([, value]) => String(value(request) ?? ""))),
  ];
  const text = lines.map((line) => line.map(cell).join(",")).join("\r\n");
  // The mark at the front tells spreadsheets that it is UTF-8.
  const address = URL.createObjectURL(new Blob([`\uFEFF${text}\r\n`], { type: "text/csv" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}

/** Quoted where it must be; what a spreadsheet would take for a formula is made plain text. */
export function cell(value: string): string {
  const plain = /^[=+\-@\t]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
