/**
 * The search options of FOLIO's Inventory app (ui-inventory 11.0), each with the CQL query that it makes of the typed
 * text. In all but the first, `*` is a wildcard for any characters.
 */

import { equals, equalsWholeValue, hasWords, or, quoteWithWildcards, startsWith } from "../api/cql.ts";

type QueryBuilder = (text: string) => string;

const wordsIn =
  (...fields: string[]): QueryBuilder =>
  (text) =>
    or(...fields.map((field) => `${field} all ${quoteWithWildcards(text)}`));

const valueIn =
  (...fields: string[]): QueryBuilder =>
  (text) =>
    or(...fields.map((field) => `${field}==${quoteWithWildcards(text)}`));

const exactValueOf =
  (field: string): QueryBuilder =>
  (text) =>
    equalsWholeValue(field, text);

/** Finds words of titles, contributors and subjects, and identifiers, barcodes and call numbers. */
const anything: QueryBuilder = (text) => {
  const ways = [
    ...["keyword", "subjects"].map((field) => hasWords(field, text)),
    ...["items.barcode", "itemFullCallNumbers", "holdingsFullCallNumbers"].map((field) => equals(field, text)),
  ];
  if (CALL_NUMBER.test(text)) ways.push(startsWith("itemNormalizedCallNumbers", text));
  if (STANDARD_NUMBER.test(text))
    ways.push(...["isbn", "issn", "identifiers.value"].map((field) => startsWith(field, text)));
  return or(...ways);
};

/**
 * Matches what may be the beginning of a call number, with or without blanks: at least three letters or digits, one of
 * them a digit.
 */
const CALL_NUMBER = /^(?=.*\d)(?=(?:[^\p{L}\d]*[\p{L}\d]){3}).{3,40}$/u;
/** The beginning of an ISBN or ISSN, with or without its hyphens. */
const STANDARD_NUMBER = /^\d(?:[ -]?\d){3,12}[ -]?[\dx]?$/i;

export const SEARCH_OPTIONS = {
  anything,
  keyword: wordsIn("keyword"),
  title: wordsIn("title"),
  contributor: wordsIn("contributors"),
  subject: wordsIn("subjects"),
  series: wordsIn("series"),
  publisher: wordsIn("publisher"),
  identifier: valueIn("identifiers.value", "isbn"),
  isbn: valueIn("isbn"),
  issn: valueIn("issn"),
  lccn: valueIn("lccn"),
  oclc: valueIn("oclc"),
  classification: valueIn("classifications.classificationNumber"),
  instanceNotes: wordsIn("notes.note", "administrativeNotes"),
  administrativeNotes: wordsIn("administrativeNotes"),
  hrid: valueIn("hrid"),
  id: valueIn("id"),
  contributorName: exactValueOf("contributors.name"),
  subjectHeading: exactValueOf("subjects.value"),
  classificationNumber: exactValueOf("classifications.classificationNumber"),
  barcode: valueIn("items.barcode"),
  callNumber: valueIn("itemFullCallNumbers"),
  normalizedCallNumber: valueIn("itemNormalizedCallNumbers"),
  shelvingOrder: valueIn("itemEffectiveShelvingOrder"),
  itemNotes: wordsIn("items.notes.note", "items.administrativeNotes"),
  circulationNotes: wordsIn("items.circulationNotes.note"),
  itemHrid: valueIn("items.hrid"),
  itemId: valueIn("items.id"),
  holdingsCallNumber: valueIn("holdingsFullCallNumbers"),
  normalizedHoldingsCallNumber: valueIn("holdingsNormalizedCallNumbers"),
  holdingsNotes: wordsIn("holdings.notes.note", "holdings.administrativeNotes"),
  holdingsHrid: valueIn("holdings.hrid"),
  holdingsId: valueIn("holdings.id"),
  cql: (text: string) => text,
} as const satisfies Record<string, QueryBuilder>;

export type SearchOption = keyof typeof SEARCH_OPTIONS;

export const isSearchOption = (name: string): name is SearchOption => Object.hasOwn(SEARCH_OPTIONS, name);
