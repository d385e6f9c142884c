/** The lists that can be leafed through, as mod-search 3.2.6 has them, each with the option that finds the titles of a line. */

import { quoted } from "../api/cql.ts";
import type { Option } from "./options.ts";

interface List {
  path: string;
  /** What the list is ordered by, and what `prev` and `next` of an answer are. */
  field: string;
  key: string;
  option: Option;
  needs: string;
}

const listed = (what: string, field: string, option: Option, key = field): List => ({
  path: `/browse/${what}/instances`,
  field,
  key,
  option,
  needs: `browse.${what.split("/")[0]}.instances.collection.get`,
});

export const LISTS = {
  "call-numbers": listed("call-numbers", "callNumber", "callNumber", "itemEffectiveShelvingOrder"),
  subjects: listed("subjects", "value", "subjectHeading"),
  contributors: listed("contributors", "name", "contributorName"),
  classifications: listed("classification-numbers/all", "number", "classificationNumber"),
} as const satisfies Record<string, List>;

export type ListName = keyof typeof LISTS;
export const LIST_NAMES = Object.keys(LISTS) as ListName[];

/** The kinds of call numbers that have an order of their own. */
export const CALL_NUMBER_TYPES = ["lc", "dewey", "nlm", "sudoc", "other", "local"] as const;
export type CallNumberType = (typeof CALL_NUMBER_TYPES)[number];

export interface Line {
  value?: string;
  name?: string;
  fullCallNumber?: string;
  shelfKey?: string;
  classificationNumber?: string;
  contributorNameTypeId?: string;
  authorityId?: string;
  totalRecords: number;
  isAnchor?: boolean;
  /** The title, if it is the only one. */
  instance?: { id: string; title: string };
}

export const textOf = ({ value, name, fullCallNumber, classificationNumber }: Line) =>
  value ?? name ?? fullCallNumber ?? classificationNumber ?? "";

export const isThere = ({ totalRecords }: Line) => totalRecords > 0;

/** Where in a list one is: around what was typed, or behind or before what stands at the edge of another page. */
export interface Place {
  from: string;
  after: string;
  before: string;
  type: CallNumberType | undefined;
}

export const LINES = 30;
/** So many lines before what was typed, for one to see where one is. */
const LINES_BEFORE = 5;
/** Stands before every letter and digit: the server has no line for a place that is blank. */
const FIRST = "!";

export function asking(name: ListName, { from, after, before, type }: Place): Record<string, string | number> {
  const { key } = LISTS[name];
  const field = type === undefined ? LISTS[name].field : "typedCallNumber";
  const typed: Record<string, string> = type === undefined ? {} : { callNumberType: type };
  if (after) return { query: `${key}>${quoted(after)}`, limit: LINES, ...typed };
  if (before) return { query: `${key}<${quoted(before)}`, limit: LINES, ...typed };
  if (!from) return { query: `${field}>=${quoted(FIRST)}`, limit: LINES, ...typed };
  const anchor = quoted(from);
  const query = `${field}>=${anchor} or ${field}<${anchor}`;
  return { query, limit: LINES, precedingRecordsCount: LINES_BEFORE, ...typed };
}
