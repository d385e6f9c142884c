/** Links of bibliographic headings to authorities: which fields can have one, and what a linked field contains. */

import { BLANK, type LinkDetails, type QuickMarcField, type Row } from "./record.ts";
import { joinSubfields, type Subfield, splitSubfields } from "./subfields.ts";

/** FOLIO's `linkingRuleDto`, as `GET /linking-rules/instance-authority` lists them. */
export interface LinkingRule {
  id: number;
  bibField: string;
  authorityField: string;
  /** The subfields that the authority governs, as the heading of the title has them. */
  authoritySubfields: readonly string[];
  subfieldModifications?: readonly { source: string; target: string }[];
  validation?: { existence?: readonly Readonly<Record<string, boolean>>[] };
  autoLinkingEnabled?: boolean;
}

export const rulesForTag = (tag: string, rules: readonly LinkingRule[]) =>
  rules.filter(({ bibField }) => bibField === tag);

/** The linking rule by which a field with this tag can be linked to an authority with this heading. */
export function ruleFor(tag: string, heading: QuickMarcField, rules: readonly LinkingRule[]): LinkingRule | undefined {
  const { subfields } = splitSubfields(String(heading.content));
  const has = (code: string) => subfields.some((subfield) => subfield.code === code);
  return rulesForTag(tag, rules).find(
    ({ authorityField, validation }) =>
      authorityField === heading.tag &&
      (validation?.existence ?? []).every((wanted) => Object.entries(wanted).every(([code, is]) => has(code) === is)),
  );
}

export const findHeading = (fields: readonly QuickMarcField[]) => fields.find(({ tag }) => /^1\d\d$/.test(tag));

interface LinkedAuthority {
  id: string;
  naturalId: string;
  /** Of its source file; with the natural id behind it, it is the address of the authority. */
  baseUrl?: string | undefined;
}

/** The row with the heading of the authority. Subfields that the authority does not control stay behind it. */
export function linkRow(row: Row, heading: QuickMarcField, authority: LinkedAuthority, rule: LinkingRule): Row {
  const { subfields } = splitSubfields(row.text);
  const own = subfields.filter(({ code }) => code !== "0" && code !== "9" && !rule.authoritySubfields.includes(code));
  const governed = splitSubfields(String(heading.content))
    .subfields.filter(({ code }) => rule.authoritySubfields.includes(code))
    .map(({ code, value }) => ({ code: targetSubfield(code, rule), value }));
  const parts: Subfield[] = [
    ...governed,
    ...own.filter(({ code }) => !governed.some((one) => one.code === code)),
    { code: "0", value: `${authority.baseUrl ?? ""}${authority.naturalId}` },
    { code: "9", value: authority.id },
  ];
  const link: LinkDetails = {
    authorityId: authority.id,
    authorityNaturalId: authority.naturalId,
    linkingRuleId: rule.id,
    status: "NEW",
  };
  return { ...row, text: joinSubfields(parts), link };
}

const targetSubfield = (code: string, { subfieldModifications = [] }: LinkingRule) =>
  subfieldModifications.find(({ source }) => source === code)?.target ?? code;

/** Removes the link: the text stays, the id of the authority (`$9`) is removed. */
export function unlinkRow(row: Row): Row {
  const { link: _, ...rest } = row;
  return { ...rest, text: joinSubfields(splitSubfields(row.text).subfields.filter(({ code }) => code !== "9")) };
}

export interface LinkedTextParts {
  /** Subfields controlled by the authority. */
  governed: string;
  /** Subfields that the cataloguer writes. */
  own: string;
  /** `$0` and `$9`. */
  ids: string;
}

/** Splits the text of a linked field, so that only the subfields not controlled by the authority can be edited. */
export function divideLinkedText(row: Row, rule: LinkingRule | undefined): LinkedTextParts {
  const { subfields } = splitSubfields(row.text);
  const targets = rule?.authoritySubfields.map((code) => targetSubfield(code, rule));
  const isId = ({ code }: Subfield) => code === "0" || code === "9";
  // Without the linking rule, no subfield can be edited.
  const isGoverned = ({ code }: Subfield) => targets?.includes(code) ?? true;
  return {
    governed: joinSubfields(subfields.filter((one) => !isId(one) && isGoverned(one))),
    own: joinSubfields(subfields.filter((one) => !isId(one) && !isGoverned(one))),
    ids: joinSubfields(subfields.filter(isId)),
  };
}

export const joinLinkedText = ({ governed, own, ids }: LinkedTextParts) =>
  [governed, own.trim(), ids].filter(Boolean).join(" ");

/**
 * The words of the heading to search for, without relator terms (`$e`), subdivisions (`$v`, `$x`, `$y`, `$z`) and
 * control subfields (`$0` to `$9`).
 */
export const searchWords = (row: Row) =>
  splitSubfields(row.text)
    .subfields.filter(({ code }) => !/[0-9evxyz]/.test(code))
    .map(({ value }) => value.replace(/[,.;:/]+$/, ""))
    .join(" ");

export interface SuggestionResult {
  rows: readonly Row[];
  linkedCount: number;
  /** Rows that could not be linked, with the server's error code. */
  failed: readonly { row: number; cause: string }[];
}

/** Applies the links that the server suggests; it answers the same fields in the same order. */
export function applySuggestions(rows: readonly Row[], fields: readonly QuickMarcField[]): SuggestionResult {
  const left = [...fields];
  const result: Row[] = [];
  const failed: { row: number; cause: string }[] = [];
  let count = 0;
  for (const row of rows) {
    const at = left.findIndex(({ tag }) => tag === row.tag);
    const field = at < 0 ? undefined : left.splice(0, at + 1).at(-1);
    const details = field?.linkDetails;
    if (row.link || !field || !details) {
      result.push(row);
    } else if (details.status === "ERROR" || !details.authorityId) {
      failed.push({ row: row.key, cause: details.errorCause ?? "" });
      result.push(row);
    } else {
      count += 1;
      const [ind1 = BLANK, ind2 = BLANK] = field.indicators ?? [];
      result.push({ ...row, text: String(field.content), ind1, ind2, link: details });
    }
  }
  return { rows: result, linkedCount: count, failed };
}
