/** The browse lists of mod-search 3.2.6, each with the search option that finds the titles of an entry. */

import { browseParameters, type ListPosition as PlaceInList } from "../parts/browsing.ts";
import type { SearchOption } from "./options.ts";

interface BrowseList {
  path: string;
  /** `field`: the member that the list is ordered by. `key`: the member that `prev` and `next` of an answer contain. */
  field: string;
  key: string;
  option: SearchOption;
  needs: string;
}

const browseList = (what: string, field: string, option: SearchOption, key = field): BrowseList => ({
  path: `/browse/${what}/instances`,
  field,
  key,
  option,
  needs: `browse.${what.split("/")[0]}.instances.collection.get`,
});

export const BROWSE_LISTS = {
  "call-numbers": browseList("call-numbers", "callNumber", "callNumber", "itemEffectiveShelvingOrder"),
  subjects: browseList("subjects", "value", "subjectHeading"),
  contributors: browseList("contributors", "name", "contributorName"),
  classifications: browseList("classification-numbers/all", "number", "classificationNumber"),
} as const satisfies Record<string, BrowseList>;

export type ListName = keyof typeof BROWSE_LISTS;
export const LIST_NAMES = Object.keys(BROWSE_LISTS) as ListName[];

/** The types of call numbers that have a list of their own. */
export const CALL_NUMBER_TYPES = ["lc", "dewey", "nlm", "sudoc", "other", "local"] as const;
export type CallNumberType = (typeof CALL_NUMBER_TYPES)[number];

export interface BrowseEntry {
  value?: string;
  name?: string;
  fullCallNumber?: string;
  shelfKey?: string;
  classificationNumber?: string;
  contributorNameTypeId?: string;
  authorityId?: string;
  totalRecords: number;
  isAnchor?: boolean;
  /** The title, if the entry has only one. */
  instance?: { id: string; title: string };
}

export const entryText = ({ value, name, fullCallNumber, classificationNumber }: BrowseEntry) =>
  value ?? name ?? fullCallNumber ?? classificationNumber ?? "";

export const hasTitles = ({ totalRecords }: BrowseEntry) => totalRecords > 0;

export interface BrowsePosition extends PlaceInList {
  type: CallNumberType | undefined;
}

export function browseQuery(name: ListName, place: BrowsePosition): Record<string, string | number> {
  const { field, key } = BROWSE_LISTS[name];
  if (place.type === undefined) return browseParameters(place, field, { key });
  return { ...browseParameters(place, "typedCallNumber", { key }), callNumberType: place.type };
}
