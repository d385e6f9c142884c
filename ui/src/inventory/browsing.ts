/** The lists that can be leafed through, as mod-search 3.2.6 has them, each with the option that finds the titles of a line. */

import { around, type Place as PlaceInList } from "../parts/browsing.ts";
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

export interface Place extends PlaceInList {
  type: CallNumberType | undefined;
}

export function asking(name: ListName, place: Place): Record<string, string | number> {
  const { field, key } = LISTS[name];
  if (place.type === undefined) return around(place, field, { key });
  return { ...around(place, "typedCallNumber", { key }), callNumberType: place.type };
}
