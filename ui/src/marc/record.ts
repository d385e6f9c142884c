/** A MARC record as quickMARC gives and takes it, and as rows of the editor. */

import { filled } from "./subfields.ts";

export type Format = "BIBLIOGRAPHIC" | "HOLDINGS" | "AUTHORITY";

/** The parts of a fixed field by their names; those of several characters, each for itself, are lists. */
export type Items = Readonly<Record<string, string | readonly string[]>>;

export interface LinkDetails {
  authorityId: string;
  authorityNaturalId: string;
  linkingRuleId: number;
  status: string;
  errorCause?: string;
}

export interface QuickMarcField {
  tag: string;
  content: string | Items;
  indicators?: readonly string[];
  isProtected?: boolean;
  linkDetails?: LinkDetails;
}

export interface QuickMarc {
  leader: string;
  fields: readonly QuickMarcField[];
  marcFormat: Format;
  suppressDiscovery?: boolean;
  parsedRecordId?: string;
  parsedRecordDtoId?: string;
  externalId?: string;
  externalHrid?: string;
  updateInfo?: { recordState?: string; updateDate?: string; updatedBy?: { firstName?: string; lastName?: string } };
}

export interface Row {
  key: number;
  tag: string;
  ind1: string;
  ind2: string;
  text: string;
  /** Of field 006, 007 and 008. */
  items?: Items;
  isProtected?: boolean;
  link?: LinkDetails;
}

/** What stands in the editor. */
export interface Draft {
  format: Format;
  leader: string;
  rows: readonly Row[];
  suppressDiscovery: boolean;
  /** Of the next row that comes. */
  nextKey: number;
  /** Rows that were removed, each with the place where it stood, the last one last. */
  removed: readonly { row: Row; at: number }[];
}

export const BLANK = "\\";

export const isControl = (tag: string) => /^00\d$/.test(tag);
export const isFixed = (tag: string) => tag === "006" || tag === "007" || tag === "008";

export function draftOf({ marcFormat: format, leader, fields, suppressDiscovery = false }: QuickMarc): Draft {
  return { format, leader, rows: fields.map(rowOf), suppressDiscovery, nextKey: fields.length, removed: [] };
}

function rowOf({ tag, content, indicators = [], isProtected, linkDetails }: QuickMarcField, key: number): Row {
  const [ind1 = BLANK, ind2 = BLANK] = indicators;
  return {
    key,
    tag,
    ind1,
    ind2,
    text: typeof content === "string" ? content : "",
    ...(typeof content !== "string" && { items: content }),
    ...(isProtected && { isProtected }),
    // A field that names an authority without details of its link is none.
    ...(linkDetails?.authorityId && { link: linkDetails }),
  };
}

/** Rows in which nothing is written are left out, and so are subfields without a value, which the server refuses. */
export function fieldsOf(rows: readonly Row[]): QuickMarcField[] {
  return rows.filter((row) => !isEmpty(row)).map(fieldOf);
}

function fieldOf({ tag, ind1, ind2, text, items, isProtected, link }: Row): QuickMarcField {
  return {
    tag,
    content: items ?? (isControl(tag) ? text : filled(text)),
    indicators: isControl(tag) ? [] : [ind1 || BLANK, ind2 || BLANK],
    ...(isProtected && { isProtected }),
    ...(link && { linkDetails: link }),
  };
}

export const isEmpty = ({ tag, text, items }: Row) =>
  items === undefined && (text.trim() === "" || (tag === "" && /^\s*\$[a-z0-9]\s*$/.test(text)));

/** Nothing that the server is sent has changed. */
export function isSame(one: Draft, other: Draft): boolean {
  const sent = ({ leader, rows, suppressDiscovery }: Draft) =>
    JSON.stringify([leader, fieldsOf(rows), suppressDiscovery]);
  return sent(one) === sent(other);
}

/** Why a row cannot be changed: the server writes it itself, or the library protects it from changes. */
export function lockOf(
  { tag, ind1, ind2, isProtected }: Row,
  format: Format,
  isNew: boolean,
): "system" | "protected" | undefined {
  const isSystem =
    (tag === "001" && !(isNew && format === "AUTHORITY")) ||
    tag === "005" ||
    (tag === "004" && format === "HOLDINGS") ||
    (tag === "999" && ind1 === "f" && ind2 === "f");
  if (isSystem) return "system";
  return isProtected ? "protected" : undefined;
}
