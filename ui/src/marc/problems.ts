/** Problems of a MARC record: found before it is sent, or refused by the server. */

import type { Refusal, Refused } from "../api/http.ts";
import { type CodedValue, type FixedPosition, leaderPositions } from "./fixed.ts";
import { parseCodeList } from "./fixed-tables.ts";
import { BLANK, type Draft, type Format, isControl, isEmpty, isFixed, type Row } from "./record.ts";
import { DOLLAR, splitSubfields } from "./subfields.ts";

export type ProblemName =
  | "tag"
  | "indicator"
  | "noText"
  | "beforeSubfields"
  | "subfieldCode"
  | "emptySubfield"
  | "repeated"
  | "needed"
  | "repeatedHeading"
  | "leaderLength"
  | "leaderValue"
  | "fixedValue"
  | "fixedLength"
  | "year"
  | "isbn";

export type RowMember = "tag" | "ind1" | "ind2" | "text" | "items";

export interface Problem {
  name: ProblemName;
  /** Key of the row; undefined if the problem is about the whole record or the leader. */
  row?: number;
  member?: RowMember;
  /** What it is about: a tag, the name of a position, what was written. */
  of?: string;
  /** A warning: the record can be saved nevertheless. */
  isWarning?: boolean;
}

/** Stands for all main headings of authorities (tags 100 to 199). */
const HEADING_TAGS = "1XX";
const matchesTag = (tag: string, rule: string) => (rule === HEADING_TAGS ? /^1\d\d$/.test(tag) : tag === rule);

interface FieldRules {
  required: readonly string[];
  notRepeatable: readonly string[];
}

/** Required and non-repeatable fields, as mod-quick-marc checks them. */
const FIELD_RULES: Record<Format, FieldRules> = {
  BIBLIOGRAPHIC: { required: ["008", "245"], notRepeatable: ["001", "008", "245"] },
  HOLDINGS: { required: ["004", "008", "852"], notRepeatable: ["001", "004", "008", "852"] },
  AUTHORITY: { required: ["008", HEADING_TAGS], notRepeatable: ["001", "008", "010", HEADING_TAGS] },
};

/** `partsOf`: the positions of a fixed field. */
export function findProblems(draft: Draft, partsOf: (row: Row) => readonly FixedPosition[]): Problem[] {
  const rows = draft.rows.filter((row) => !isEmpty(row));
  return [
    ...leaderProblems(draft),
    ...fieldRuleProblems(draft.format, rows),
    ...rows.flatMap((row) => rowProblems(row, partsOf)),
  ];
}

export const hasErrors = (found: readonly Problem[]) => found.some(({ isWarning }) => !isWarning);

function leaderProblems({ format, leader }: Draft): Problem[] {
  if (leader.length !== 24) return [{ name: "leaderLength" }];
  return leaderPositions(format).flatMap(({ position, name, values }) => {
    const value = leader.charAt(position).replace(" ", BLANK);
    const isKnown = parseCodeList(values).some(([code]) => code === value);
    // FOLIO no longer checks the encoding level.
    const isWarning = name === "Encoding level" && format === "BIBLIOGRAPHIC";
    return isKnown ? [] : [{ name: "leaderValue" as const, of: name, ...(isWarning && { isWarning }) }];
  });
}

function fieldRuleProblems(format: Format, rows: readonly Row[]): Problem[] {
  const { required, notRepeatable } = FIELD_RULES[format];
  const missing = required
    .filter((rule) => !rows.some(({ tag }) => matchesTag(tag, rule)))
    .map((rule): Problem => ({ name: "needed", of: rule }));
  const repeated = notRepeatable.flatMap((rule) =>
    rows
      .filter(({ tag }) => matchesTag(tag, rule))
      .slice(1)
      .map(({ key }): Problem => ({ name: "repeated", of: rule, row: key, member: "tag" })),
  );
  const headings = format === "BIBLIOGRAPHIC" ? rows.filter(({ tag }) => matchesTag(tag, HEADING_TAGS)).slice(1) : [];
  const main = headings.map(
    ({ key }): Problem => ({ name: "repeatedHeading", row: key, member: "tag", isWarning: true }),
  );
  return [...missing, ...repeated, ...main];
}

function rowProblems(row: Row, partsOf: (row: Row) => readonly FixedPosition[]): Problem[] {
  const at = (name: ProblemName, member: RowMember, rest: Partial<Problem> = {}): Problem => ({
    name,
    row: row.key,
    member,
    ...rest,
  });
  if (!/^\d{3}$/.test(row.tag)) return [at("tag", "tag")];
  if (row.items !== undefined) return itemProblems(row, partsOf(row), at);
  if (isControl(row.tag)) return row.text.trim() === "" ? [at("noText", "text")] : [];
  const indicators = (["ind1", "ind2"] as const)
    .filter((member) => !/^[0-9a-z\\]?$/.test(row[member]))
    .map((member) => at("indicator", member));
  return [...indicators, ...textProblems(row, at)];
}

function textProblems(
  row: Row,
  at: (name: ProblemName, member: RowMember, rest?: Partial<Problem>) => Problem,
): Problem[] {
  const { before, subfields } = splitSubfields(row.text);
  const full = subfields.filter(({ value }) => value !== "");
  const found: Problem[] = [];
  if (before !== "") found.push(at("beforeSubfields", "text", { of: before }));
  else if (full.length === 0) found.push(at("noText", "text"));
  const stray = subfields.find(({ value }) => value.replaceAll(DOLLAR, "").includes("$"));
  if (stray || before.includes("$")) found.push(at("subfieldCode", "text", { of: stray?.code ?? "" }));
  const empty = subfields.filter(({ value }) => value === "").map(({ code }) => `$${code}`);
  if (empty.length > 0 && full.length > 0) {
    found.push(at("emptySubfield", "text", { of: empty.join(" "), isWarning: true }));
  }
  const numbers = row.tag === "020" ? full.filter(({ code }) => code === "a") : [];
  for (const { value } of numbers) {
    if (!isIsbn(value)) found.push(at("isbn", "text", { of: value, isWarning: true }));
  }
  return found;
}

function itemProblems(
  { items = {} }: Row,
  parts: readonly FixedPosition[],
  at: (name: ProblemName, member: RowMember, rest?: Partial<Problem>) => Problem,
): Problem[] {
  return parts.flatMap(({ code, name, length, values }) => {
    const value = items[code];
    if (value === undefined) return [];
    if (value.length !== length) return [at("fixedLength", "items", { of: name })];
    const signs = Array.isArray(value) ? value : [String(value)];
    if (values && signs.some((sign) => !isAllowedCode(sign, values))) {
      return [at("fixedValue", "items", { of: name, isWarning: true })];
    }
    const isYear = code === "Date1" || code === "Date2";
    if (isYear && !/^([0-9u]{4}|\\{4}|\|{4})$/.test(String(value).replaceAll(" ", BLANK))) {
      return [at("year", "items", { of: name, isWarning: true })];
    }
    return [];
  });
}

const isAllowedCode = (sign: string, values: readonly CodedValue[]) =>
  values.some(([code]) => code === (sign === " " ? BLANK : sign)) || sign === "|";

/** Checks the check digit of an ISBN; text in brackets behind it is ignored. */
export function isIsbn(text: string): boolean {
  const number = (text.split(/[\s(:]/)[0] ?? "").replaceAll("-", "").toUpperCase();
  const digits = [...number].map((sign) => (sign === "X" ? 10 : Number(sign)));
  if (/^\d{9}[\dX]$/.test(number))
    return digits.reduce((sum, digit, place) => sum + digit * (10 - place), 0) % 11 === 0;
  if (/^\d{13}$/.test(number))
    return digits.reduce((sum, digit, place) => sum + digit * (place % 2 ? 3 : 1), 0) % 10 === 0;
  return false;
}

/** A refusal of the server, at the last row with the tag that it names. */
export interface RowRefusal {
  row?: number;
  refusal: Refusal;
}

/** For a single refusal, quickMARC puts the parameters into the body itself, not into an error of its list. */
export function refusalsOf({ refusals, body }: Refused): Refusal[] {
  const { parameters } = (body ?? {}) as Pick<Refusal, "parameters">;
  return refusals.map((refusal) => ({ ...(Array.isArray(parameters) && { parameters }), ...refusal }));
}

export function refusalsAtRows(refusals: readonly Refusal[], rows: readonly Row[]): RowRefusal[] {
  return refusals.map((refusal) => {
    const tag = refusal.parameters?.[0]?.key ?? /\b(\d{3})\b/.exec(refusal.message)?.[1] ?? "";
    const row = rows.findLast((row) => matchesTag(row.tag, tag));
    return { ...(row && { row: row.key }), refusal };
  });
}

/** A fixed field without positions, which cannot be sent; typing its tag again creates them. */
export const lacksItems = ({ tag, items }: Row) => isFixed(tag) && items === undefined;
