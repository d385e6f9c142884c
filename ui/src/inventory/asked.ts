/** A search for titles: how the address keeps it, and the query that is sent to the server. */

import { and, sortBy } from "../api/cql.ts";
import { type ChosenFacets, FACET_NAMES, facetQueries } from "./facets.ts";
import { isSearchOption, SEARCH_OPTIONS, type SearchOption } from "./options.ts";

/** By relevance or by a field; a minus before the field reverses the order. */
export const SORTS = ["relevance", "title", "-title", "contributors", "-contributors"] as const;
export type Sort = (typeof SORTS)[number];

export interface TitleSearch {
  text: string;
  option: SearchOption;
  chosen: ChosenFacets;
  sort: Sort;
}

const EVERYTHING = "cql.allRecords=1";

export function readSearch(address: URLSearchParams): TitleSearch {
  const option = address.get("option") ?? "";
  const sort = SORTS.find((one) => one === address.get("sort")) ?? "relevance";
  const chosen = FACET_NAMES.map((name) => [name, address.getAll(name).filter(Boolean)] as const);
  return {
    text: (address.get("query") ?? "").trim(),
    option: isSearchOption(option) ? option : "anything",
    chosen: Object.fromEntries(chosen.filter(([, values]) => values.length > 0)),
    sort,
  };
}

/** The parameters of the address for a search. Default values are left out. */
export function toAddress({ text, option, chosen, sort }: TitleSearch): URLSearchParams {
  const address = new URLSearchParams();
  if (text) address.set("query", text);
  if (option !== "anything") address.set("option", option);
  for (const name of FACET_NAMES) {
    for (const value of chosen[name] ?? []) address.append(name, value);
  }
  if (sort !== "relevance") address.set("sort", sort);
  return address;
}

/** The address of the inventory page that shows the titles that a search option finds. */
export const searchAddress = (option: SearchOption, text: string) =>
  `/inventory?${toAddress({ text, option, chosen: {}, sort: "relevance" })}`;

export const countChosen = (chosen: ChosenFacets) => Object.values(chosen).reduce((sum, { length }) => sum + length, 0);

export const hasSearch = ({ text, chosen }: TitleSearch) => text !== "" || countChosen(chosen) > 0;

/** The CQL query of a search, without its order. */
export function searchQuery(
  { text, option, chosen }: TitleSearch,
  making: (text: string) => string = SEARCH_OPTIONS[option],
): string {
  const narrowed = facetQueries(chosen);
  if (text === "") return narrowed.length > 0 ? and(...narrowed) : EVERYTHING;
  const asked = making(option === "cql" ? splitSort(text)[0] : text);
  return narrowed.length > 0 ? and(option === "cql" ? `(${asked})` : asked, ...narrowed) : asked;
}

/**
 * The same query with its order. Without search words relevance has no meaning, so titles are sorted alphabetically.
 */
export function sortedQuery(asked: TitleSearch): string {
  const { text, option, sort } = asked;
  const order = option === "cql" ? splitSort(text)[1] : "";
  if (sort === "relevance") {
    if (text === "") return sortBy(searchQuery(asked), "title");
    return order ? sortBy(searchQuery(asked), order) : searchQuery(asked);
  }
  return sortBy(searchQuery(asked), sort.startsWith("-") ? `${sort.slice(1)}/sort.descending` : sort);
}

/** Splits a CQL query into the query and its order. A `sortBy` within quotes is part of the query. */
function splitSort(cql: string): [query: string, order: string] {
  const parts = /^((?:[^"]|"(?:[^"\\]|\\.)*")*?)\s+sortby\s+([^"]*)$/is.exec(cql);
  return parts ? [parts[1] ?? "", parts[2] ?? ""] : [cql, ""];
}
