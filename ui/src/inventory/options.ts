/**
 * What is searched: one option of FOLIO's Inventory app (ui-inventory 11.0) each, with the query that it makes of what was typed.
 * In all but the first, `*` stands for any signs.
 */

import { any, begins, hasWords, is, masked, whole } from "../api/cql.ts";

type Making = (text: string) => string;

const words =
  (...fields: string[]): Making =>
  (text) =>
    any(...fields.map((field) => `${field} all ${masked(text)}`));

const value =
  (...fields: string[]): Making =>
  (text) =>
    any(...fields.map((field) => `${field}==${masked(text)}`));

const exactly =
  (field: string): Making =>
  (text) =>
    whole(field, text);

/** Words of title, people, subjects and identifiers; a barcode or call number leads to its title, too. */
const anything: Making = (text) => {
  const ways = [
    ...["keyword", "subjects"].map((field) => hasWords(field, text)),
    ...["items.barcode", "itemFullCallNumbers", "holdingsFullCallNumbers"].map((field) => is(field, text)),
  ];
  if (CALL_NUMBER.test(text)) ways.push(begins("itemNormalizedCallNumbers", text));
  if (NUMBER.test(text)) ways.push(...["isbn", "issn", "identifiers.value"].map((field) => begins(field, text)));
  return any(...ways);
};

/** Matches what may be the beginning of a call number, with or without its blanks: it has a digit, and is not just a word or two. */
const CALL_NUMBER = /^(?=.*\d)(?=(?:[^\p{L}\d]*[\p{L}\d]){3}).{3,40}$/u;
/** The beginning of an ISBN or ISSN, with or without its hyphens. */
const NUMBER = /^\d(?:[ -]?\d){3,12}[ -]?[\dx]?$/i;

export const OPTIONS = {
  anything,
  keyword: words("keyword"),
  title: words("title"),
  contributor: words("contributors"),
  subject: words("subjects"),
  series: words("series"),
  publisher: words("publisher"),
  identifier: value("identifiers.value", "isbn"),
  isbn: value("isbn"),
  issn: value("issn"),
  lccn: value("lccn"),
  oclc: value("oclc"),
  classification: value("classifications.classificationNumber"),
  instanceNotes: words("notes.note", "administrativeNotes"),
  administrativeNotes: words("administrativeNotes"),
  hrid: value("hrid"),
  id: value("id"),
  contributorName: exactly("contributors.name"),
  subjectHeading: exactly("subjects.value"),
  classificationNumber: exactly("classifications.classificationNumber"),
  barcode: value("items.barcode"),
  callNumber: value("itemFullCallNumbers"),
  normalizedCallNumber: value("itemNormalizedCallNumbers"),
  shelvingOrder: value("itemEffectiveShelvingOrder"),
  itemNotes: words("items.notes.note", "items.administrativeNotes"),
  circulationNotes: words("items.circulationNotes.note"),
  itemHrid: value("items.hrid"),
  itemId: value("items.id"),
  holdingsCallNumber: value("holdingsFullCallNumbers"),
  normalizedHoldingsCallNumber: value("holdingsNormalizedCallNumbers"),
  holdingsNotes: words("holdings.notes.note", "holdings.administrativeNotes"),
  holdingsHrid: value("holdings.hrid"),
  holdingsId: value("holdings.id"),
  cql: (text: string) => text,
} as const satisfies Record<string, Making>;

export type Option = keyof typeof OPTIONS;

export const isOption = (name: string): name is Option => Object.hasOwn(OPTIONS, name);
