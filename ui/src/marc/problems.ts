/** What is wrong with a record, before it is sent and after the server has refused it. */

import type { Refusal, Refused } from "../api/http.ts";
import { leaderPositions, type Part, type Value } from "./fixed.ts";
import { pairs } from "./fixed-tables.ts";
import { BLANK, type Draft, type Format, isControl, isEmpty, isFixed, type Row } from "./record.ts";
import { DOLLAR, split } from "./subfields.ts";

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

export type Member = "tag" | "ind1" | "ind2" | "text" | "items";

export interface Problem {
  name: ProblemName;
  /** None: it is about the whole record, or the leader. */
  row?: number;
  member?: Member;
  /** What it is about: a tag, the name of a position, what was written. */
  of?: string;
  /** It can be saved all the same. */
  isWarning?: boolean;
}

/** A key of these stands for a group of tags. */
const HEADING = "1XX";
const matches = (tag: string, rule: string) => (rule === HEADING ? /^1\d\d$/.test(tag) : tag === rule);

interface Rules {
  needed: readonly string[];
  once: readonly string[];
}

/** As mod-quick-marc has them. */
const RULES: Record<Format, Rules> = {
  BIBLIOGRAPHIC: { needed: ["008", "245"], once: ["001", "008", "245"] },
  HOLDINGS: { needed: ["004", "008", "852"], once: ["001", "004", "008", "852"] },
  AUTHORITY: { needed: ["008", HEADING], once: ["001", "008", "010", HEADING] },
};

/** `partsOf`: the positions of a fixed field. */
export function problems(draft: Draft, partsOf: (row: Row) => readonly Part[]): Problem[] {
  const rows = draft.rows.filter((row) => !isEmpty(row));
  return [...ofLeader(draft), ...ofWhole(draft.format, rows), ...rows.flatMap((row) => ofRow(row, partsOf))];
}

export const bars = (found: readonly Problem[]) => found.some(({ isWarning }) => !isWarning);

function ofLeader({ format, leader }: Draft): Problem[] {
  if (leader.length !== 24) return [{ name: "leaderLength" }];
  return leaderPositions(format).flatMap(({ position, name, values }) => {
    const value = leader.charAt(position).replace(" ", BLANK);
    const isKnown = pairs(values).some(([code]) => code === value);
    // The server does not check it any more.
    const isWarning = name === "Encoding level" && format === "BIBLIOGRAPHIC";
    return isKnown ? [] : [{ name: "leaderValue" as const, of: name, ...(isWarning && { isWarning }) }];
  });
}

function ofWhole(format: Format, rows: readonly Row[]): Problem[] {
  const { needed, once } = RULES[format];
  const missing = needed
    .filter((rule) => !rows.some(({ tag }) => matches(tag, rule)))
    .map((rule): Problem => ({ name: "needed", of: rule }));
  const repeated = once.flatMap((rule) =>
    rows
      .filter(({ tag }) => matches(tag, rule))
      .slice(1)
      .map(({ key }): Problem => ({ name: "repeated", of: rule, row: key, member: "tag" })),
  );
  const headings = format === "BIBLIOGRAPHIC" ? rows.filter(({ tag }) => matches(tag, HEADING)).slice(1) : [];
  const main = headings.map(
    ({ key }): Problem => ({ name: "repeatedHeading", row: key, member: "tag", isWarning: true }),
  );
  return [...missing, ...repeated, ...main];
}

function ofRow(row: Row, partsOf: (row: Row) => readonly Part[]): Problem[] {
  const at = (name: ProblemName, member: Member, rest: Partial<Problem> = {}): Problem => ({
    name,
    row: row.key,
    member,
    ...rest,
  });
  if (!/^\d{3}$/.test(row.tag)) return [at("tag", "tag")];
  if (row.items !== undefined) return ofItems(row, partsOf(row), at);
  if (isControl(row.tag)) return row.text.trim() === "" ? [at("noText", "text")] : [];
  const indicators = (["ind1", "ind2"] as const)
    .filter((member) => !/^[0-9a-z\\]?$/.test(row[member]))
    .map((member) => at("indicator", member));
  return [...indicators, ...ofText(row, at)];
}

function ofText(row: Row, at: (name: ProblemName, member: Member, rest?: Partial<Problem>) => Problem): Problem[] {
  const { before, subfields } = split(row.text);
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

function ofItems(
  { items = {} }: Row,
  parts: readonly Part[],
  at: (name: ProblemName, member: Member, rest?: Partial<Problem>) => Problem,
): Problem[] {
  return parts.flatMap(({ code, name, length, values }) => {
    const value = items[code];
    if (value === undefined) return [];
    if (value.length !== length) return [at("fixedLength", "items", { of: name })];
    const signs = Array.isArray(value) ? value : [String(value)];
    if (values && signs.some((sign) => !isOne(sign, values))) {
      return [at("fixedValue", "items", { of: name, isWarning: true })];
    }
    const isYear = code === "Date1" || code === "Date2";
    if (isYear && !/^([0-9u]{4}|\\{4}|\|{4})$/.test(String(value).replaceAll(" ", BLANK))) {
      return [at("year", "items", { of: name, isWarning: true })];
    }
    return [];
  });
}

const isOne = (sign: string, values: readonly Value[]) =>
  values.some(([code]) => code === (sign === " " ? BLANK : sign)) || sign === "|";

/** With its check digit; what stands in brackets behind it is a remark. */
export function isIsbn(text: string): boolean {
  const number = (text.split(/[\s(:]/)[0] ?? "").replaceAll("-", "").toUpperCase();
  const digits = [...number].map((sign) => (sign === "X" ? 10 : Number(sign)));
  if (/^\d{9}[\dX]$/.test(number))
    return digits.reduce((sum, digit, place) => sum + digit * (10 - place), 0) % 11 === 0;
  if (/^\d{13}$/.test(number))
    return digits.reduce((sum, digit, place) => sum + digit * (place % 2 ? 3 : 1), 0) % 10 === 0;
  return false;
}

/** What the server has refused, each at the last row that has the tag which it names. */
export interface AtRow {
  row?: number;
  refusal: Refusal;
}

/** Of a single refusal quickMARC names the tag in the answer itself. */
export function refusalsOf({ refusals, body }: Refused): Refusal[] {
  const { parameters } = (body ?? {}) as Pick<Refusal, "parameters">;
  return refusals.map((refusal) => ({ ...(Array.isArray(parameters) && { parameters }), ...refusal }));
}

export function placed(refusals: readonly Refusal[], rows: readonly Row[]): AtRow[] {
  return refusals.map((refusal) => {
    const tag = refusal.parameters?.[0]?.key ?? /\b(\d{3})\b/.exec(refusal.message)?.[1] ?? "";
    const row = rows.findLast((row) => matches(row.tag, tag));
    return { ...(row && { row: row.key }), refusal };
  });
}

/** A field of the kind that has positions must have them; a tag that is typed anew brings them. */
export const lacksItems = ({ tag, items }: Row) => isFixed(tag) && items === undefined;
