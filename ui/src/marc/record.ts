/** MARC records in the form of quickMARC, and as rows of the editor. */

import { withoutEmptySubfields } from "./subfields.ts";

export type Format = "BIBLIOGRAPHIC" | "HOLDINGS" | "AUTHORITY";

/** The values of a fixed field by the names of its positions; a list has one entry for each character. */
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
  /** Values of positions, for fields 006, 007 and 008 only. */
  items?: Items;
  isProtected?: boolean;
  link?: LinkDetails;
}

/** The state of the editor: the record as it is being edited. */
export interface Draft {
  format: Format;
  leader: string;
  rows: readonly Row[];
  suppressDiscovery: boolean;
  /** Key that the next new row gets. */
  nextKey: number;
  /** Removed rows and their former positions, the last removed one last; they can be restored. */
  removed: readonly { row: Row; at: number }[];
}

export const BLANK = "\\";

export const isControl = (tag: string) => /^00\d$/.test(tag);
export const isFixed = (tag: string) => tag === "006" || tag === "007" || tag === "008";

export function draftOf({ marcFormat: format, leader, fields, suppressDiscovery = false }: QuickMarc): Draft {
  return { format, leader, rows: fields.map(rowFromField), suppressDiscovery, nextKey: fields.length, removed: [] };
}

function rowFromField({ tag, content, indicators = [], isProtected, linkDetails }: QuickMarcField, key: number): Row {
  const [ind1 = BLANK, ind2 = BLANK] = indicators;
  return {
    key,
    tag,
    ind1,
    ind2,
    text: typeof content === "string" ? content : "",
    ...(typeof content !== "string" && { items: content }),
    ...(isProtected && { isProtected }),
    // Link details without an authority id are not a link.
    ...(linkDetails?.authorityId && { link: linkDetails }),
  };
}

/** The fields to send. Empty rows and subfields without a value are left out, because the server refuses them. */
export function fieldsFromRows(rows: readonly Row[]): QuickMarcField[] {
  return rows.filter((row) => !isEmpty(row)).map(fieldFromRow);
}

function fieldFromRow({ tag, ind1, ind2, text, items, isProtected, link }: Row): QuickMarcField {
  return {
    tag,
    content: items ?? (isControl(tag) ? text : withoutEmptySubfields(text)),
    indicators: isControl(tag) ? [] : [ind1 || BLANK, ind2 || BLANK],
    ...(isProtected && { isProtected }),
    ...(link && { linkDetails: link }),
  };
}

export const isEmpty = ({ tag, text, items }: Row) =>
  items === undefined && (text.trim() === "" || (tag === "" && /^\s*\$[a-z0-9]\s*$/.test(text)));

/** Whether two drafts send the same record to the server. */
export function isSame(one: Draft, other: Draft): boolean {
  const sent = ({ leader, rows, suppressDiscovery }: Draft) =>
    JSON.stringify([leader, fieldsFromRows(rows), suppressDiscovery]);
  return sent(one) === sent(other);
}

/** Why a row cannot be edited: the server writes it, or the library's field protection settings forbid it. */
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
