/** A list of requests for a spreadsheet. */

import type { PatronRequest } from "../api/records.ts";
import { type Column, saveCsv } from "../parts/csv.ts";
import type { Words } from "../words/en.ts";

export function exportCsv(name: string, requests: readonly PatronRequest[], words: Words): void {
  const columns: Column<PatronRequest>[] = [
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
  saveCsv(name, columns, requests);
}
