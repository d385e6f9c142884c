/** The table of titles that is made for spreadsheets. */

import type { Title } from "../api/inventory.ts";
import type { Column } from "../parts/csv.ts";
import { available, callNumbers } from "./imprint.ts";
import type { InventoryWords } from "./words/en.ts";

/** FOLIO's own id of the type of identifier. */
const ISBN = "8261054f-be78-422d-bd51-4ed9f33c3422";

const several = (values: readonly (string | undefined)[] = []) => values.filter(Boolean).join("; ");

export function columns({ columns: words }: InventoryWords["export"]): Column<Title>[] {
  return [
    [words.title, ({ title }) => title],
    [words.contributors, ({ contributors }) => several(contributors?.map(({ name }) => name))],
    [words.publisher, ({ publication }) => several(publication?.map(({ publisher }) => publisher))],
    [words.date, ({ publication }) => several(publication?.map(({ dateOfPublication }) => dateOfPublication))],
    [words.isbn, ({ identifiers = [] }) => several(identifiers.filter(isIsbn).map(({ value }) => value))],
    [words.languages, ({ languages }) => several(languages)],
    [words.callNumbers, (title) => several(callNumbers(title))],
    [words.copies, ({ items = [] }) => items.length],
    [words.available, available],
    [words.hrid, ({ hrid }) => hrid],
    [words.id, ({ id }) => id],
  ];
}

const isIsbn = ({ identifierTypeId }: { identifierTypeId: string }) => identifierTypeId === ISBN;
