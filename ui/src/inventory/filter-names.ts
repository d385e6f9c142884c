/** The names of what titles are narrowed by. */

import { useQueries } from "@tanstack/react-query";
import { NAMES } from "../api/inventory.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { type FacetName, namesOf } from "./facets.ts";
import { useInventoryWords } from "./words/index.tsx";

const LISTS = Object.values(NAMES);

export interface ValueNames {
  /** Ids without names are not shown in a hurry. */
  areThere: boolean;
  nameOf: (facet: FacetName, value: string) => string;
}

export function useValueNames(): ValueNames {
  const words = useWords();
  const { truths } = useInventoryWords().filters;
  const { locale } = useFormats();
  const lists = useQueries({ queries: LISTS });
  const paths = Object.keys(NAMES);
  const languages = new Intl.DisplayNames(locale, { type: "language" });
  const nameOf = (facet: FacetName, value: string) => {
    if (facet === "language") return languageName(languages, value);
    if (facet === "status") return words.statuses[value] ?? value;
    const path = namesOf(facet);
    if (path === undefined) return truths[value] ?? value;
    return lists[paths.indexOf(path)]?.data?.find(({ id }) => id === value)?.name ?? value;
  };
  return { areThere: lists.every(({ isPending }) => !isPending), nameOf };
}

function languageName(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    // No code of a language.
    return code;
  }
}
