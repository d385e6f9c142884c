/** The names of the values of filters. */

import { useQueries } from "@tanstack/react-query";
import { NAME_LISTS } from "../api/inventory.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { type FacetName, facetNameList } from "./facets.ts";
import { useInventoryWords } from "./words/index.tsx";

const QUERIES = Object.values(NAME_LISTS);

export interface ValueNames {
  /** Whether the names have been loaded; before that, ids would be shown. */
  areLoaded: boolean;
  nameOf: (facet: FacetName, value: string) => string;
}

export function useValueNames(): ValueNames {
  const words = useWords();
  const { truths } = useInventoryWords().filters;
  const { locale } = useFormats();
  const lists = useQueries({ queries: QUERIES });
  const paths = Object.keys(NAME_LISTS);
  const languages = new Intl.DisplayNames(locale, { type: "language" });
  const nameOf = (facet: FacetName, value: string) => {
    if (facet === "language") return languageName(languages, value);
    if (facet === "status") return words.statuses[value] ?? value;
    const path = facetNameList(facet);
    if (path === undefined) return truths[value] ?? value;
    return lists[paths.indexOf(path)]?.data?.find(({ id }) => id === value)?.name ?? value;
  };
  return { areLoaded: lists.every(({ isPending }) => !isPending), nameOf };
}

function languageName(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    // The code does not stand for a language.
    return code;
  }
}
