/** Links of headings to authorities: which fields may have one, and what a heading is once it follows its authority. */

import { BLANK, type LinkDetails, type QuickMarcField, type Row } from "./record.ts";
import { joined, type Subfield, split } from "./subfields.ts";

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

export const rulesOf = (tag: string, rules: readonly LinkingRule[]) => rules.filter(({ bibField }) => bibField === tag);

/** Of the rules of a field, the one by which an authority with this heading may be linked. */
export function ruleFor(tag: string, heading: QuickMarcField, rules: readonly LinkingRule[]): LinkingRule | undefined {
  const { subfields } = split(String(heading.content));
  const has = (code: string) => subfields.some((subfield) => subfield.code === code);
  return rulesOf(tag, rules).find(
    ({ authorityField, validation }) =>
      authorityField === heading.tag &&
      (validation?.existence ?? []).every((wanted) => Object.entries(wanted).every(([code, is]) => has(code) === is)),
  );
}

export const headingOf = (fields: readonly QuickMarcField[]) => fields.find(({ tag }) => /^1\d\d$/.test(tag));

interface Authority {
  id: string;
  naturalId: string;
  /** Of its source file; with the natural id behind it, it is the address of the authority. */
  baseUrl?: string | undefined;
}

/** The row with the authority's heading: what the authority does not govern stays behind it. */
export function linked(row: Row, heading: QuickMarcField, authority: Authority, rule: LinkingRule): Row {
  const { subfields } = split(row.text);
  const own = subfields.filter(({ code }) => code !== "0" && code !== "9" && !rule.authoritySubfields.includes(code));
  const governed = split(String(heading.content))
    .subfields.filter(({ code }) => rule.authoritySubfields.includes(code))
    .map(({ code, value }) => ({ code: targetOf(code, rule), value }));
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
  return { ...row, text: joined(parts), link };
}

const targetOf = (code: string, { subfieldModifications = [] }: LinkingRule) =>
  subfieldModifications.find(({ source }) => source === code)?.target ?? code;

/** The text stays; what named the authority goes. */
export function unlinked(row: Row): Row {
  const { link: _, ...rest } = row;
  return { ...rest, text: joined(split(row.text).subfields.filter(({ code }) => code !== "9")) };
}

export interface Divided {
  /** By the authority. */
  governed: string;
  /** Written here. */
  own: string;
  /** `$0` and `$9`. */
  ids: string;
}

/** The parts of a linked heading, so that only what the authority does not govern is written in. */
export function divided(row: Row, rule: LinkingRule | undefined): Divided {
  const { subfields } = split(row.text);
  const targets = rule?.authoritySubfields.map((code) => targetOf(code, rule));
  const isId = ({ code }: Subfield) => code === "0" || code === "9";
  // Without its rule nothing says what is written here.
  const isGoverned = ({ code }: Subfield) => targets?.includes(code) ?? true;
  return {
    governed: joined(subfields.filter((one) => !isId(one) && isGoverned(one))),
    own: joined(subfields.filter((one) => !isId(one) && !isGoverned(one))),
    ids: joined(subfields.filter(isId)),
  };
}

export const assembled = ({ governed, own, ids }: Divided) => [governed, own.trim(), ids].filter(Boolean).join(" ");

/** Words to search for: the heading without what is no name. */
export const wordsOf = (row: Row) =>
  split(row.text)
    .subfields.filter(({ code }) => !/[0-9evxyz]/.test(code))
    .map(({ value }) => value.replace(/[,.;:/]+$/, ""))
    .join(" ");

export interface Suggested {
  rows: readonly Row[];
  linked: number;
  /** By row, why no link was made: the server's codes. */
  failed: readonly { row: number; cause: string }[];
}

/** The rows with the links that the server suggests; it answers the same fields in the same order. */
export function suggested(rows: readonly Row[], fields: readonly QuickMarcField[]): Suggested {
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
  return { rows: result, linked: count, failed };
}
