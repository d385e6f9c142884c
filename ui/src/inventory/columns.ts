/** The columns of the CSV file of titles. */

import type { Title } from "../api/inventory.ts";
import type { CsvColumn } from "../parts/csv.ts";
import { callNumbers, countAvailable } from "./imprint.ts";
import type { InventoryWords } from "./words/en.ts";

/** FOLIO's id of the identifier type ISBN. */
const ISBN = "8261054f-be78-422d-bd51-4ed9f33c3422";

const joinValues = (values: readonly (string | undefined)[] = []) => values.filter(Boolean).join("; ");

export function titleColumns({ columns: words }: InventoryWords["export"]): CsvColumn<Title>[] {
  return [
    [words.title, ({ title }) => title],
    [words.contributors, ({ contributors }) => joinValues(contributors?.map(({ name }) => name))],
    [words.publisher, ({ publication }) => joinValues(publication?.map(({ publisher }) => publisher))],
    [words.date, ({ publication }) => joinValues(publication?.map(({ dateOfPublication }) => dateOfPublication))],
    [words.isbn, ({ identifiers = [] }) => joinValues(identifiers.filter(isIsbn).map(({ value }) => value))],
    [words.languages, ({ languages }) => joinValues(languages)],
    [words.callNumbers, (title) => joinValues(callNumbers(title))],
    [words.copies, ({ items = [] }) => items.length],
    [words.available, countAvailable],
    [words.hrid, ({ hrid }) => hrid],
    [words.id, ({ id }) => id],
  ];
}

const isIsbn = ({ identifierTypeId }: { identifierTypeId: string }) => identifierTypeId === ISBN;
