/** What is searched for, as the address keeps it and as the server is asked. */

import { all, sorted } from "../api/cql.ts";
import { type Chosen, FACET_NAMES, filters } from "./facets.ts";
import { isOption, OPTIONS, type Option } from "./options.ts";

/** By how well they fit, or by a field; the other way round with a minus before it. */
export const SORTS = ["relevance", "title", "-title", "contributors", "-contributors"] as const;
export type Sort = (typeof SORTS)[number];

export interface Asked {
  text: string;
  option: Option;
  chosen: Chosen;
  sort: Sort;
}

const EVERYTHING = "cql.allRecords=1";

export function read(address: URLSearchParams): Asked {
  const option = address.get("option") ?? "";
  const sort = SORTS.find((one) => one === address.get("sort")) ?? "relevance";
  const chosen = FACET_NAMES.map((name) => [name, address.getAll(name).filter(Boolean)] as const);
  return {
    text: (address.get("query") ?? "").trim(),
    option: isOption(option) ? option : "anything",
    chosen: Object.fromEntries(chosen.filter(([, values]) => values.length > 0)),
    sort,
  };
}

/** Its part of the address. What is as always is left out. */
export function written({ text, option, chosen, sort }: Asked): URLSearchParams {
  const address = new URLSearchParams();
  if (text) address.set("query", text);
  if (option !== "anything") address.set("option", option);
  for (const name of FACET_NAMES) {
    for (const value of chosen[name] ?? []) address.append(name, value);
  }
  if (sort !== "relevance") address.set("sort", sort);
  return address;
}

/** Where the titles are that an option finds. */
export const addressOf = (option: Option, text: string) =>
  `/inventory?${written({ text, option, chosen: {}, sort: "relevance" })}`;

export const howManyChosen = (chosen: Chosen) => Object.values(chosen).reduce((sum, { length }) => sum + length, 0);

export const isSomething = ({ text, chosen }: Asked) => text !== "" || howManyChosen(chosen) > 0;

/** The titles that are meant, in no order. */
export function query({ text, option, chosen }: Asked, making: (text: string) => string = OPTIONS[option]): string {
  const narrowed = filters(chosen);
  if (text === "") return narrowed.length > 0 ? all(...narrowed) : EVERYTHING;
  const asked = making(option === "cql" ? unsorted(text)[0] : text);
  return narrowed.length > 0 ? all(option === "cql" ? `(${asked})` : asked, ...narrowed) : asked;
}

/** The same with their order. Without words nothing fits better than something else: then titles go by the alphabet. */
export function queryInOrder(asked: Asked): string {
  const { text, option, sort } = asked;
  const order = option === "cql" ? unsorted(text)[1] : "";
  if (sort === "relevance") {
    if (text === "") return sorted(query(asked), "title");
    return order ? sorted(query(asked), order) : query(asked);
  }
  return sorted(query(asked), sort.startsWith("-") ? `${sort.slice(1)}/sort.descending` : sort);
}

/** A query in CQL without its order, and the order. What stands in quotes is none. */
function unsorted(cql: string): [query: string, order: string] {
  const parts = /^((?:[^"]|"(?:[^"\\]|\\.)*")*?)\s+sortby\s+([^"]*)$/is.exec(cql);
  return parts ? [parts[1] ?? "", parts[2] ?? ""] : [cql, ""];
}
