/** The search for titles: the search field, the filters, and the titles found. */

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { hasWords } from "../api/cql.ts";
import { indexQuery, MAX_TITLES, searchTitles, type TitleSearchResult } from "../api/search.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Pager, usePage } from "../parts/pager.tsx";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { useWords } from "../words/index.tsx";
import { hasSearch, readSearch, SORTS, searchQuery, sortedQuery, type TitleSearch } from "./asked.ts";
import { ChosenFilters } from "./chosen-filters.tsx";
import { ExportButton } from "./export.tsx";
import { Filters, ToFilters } from "./filters.tsx";
import { SEARCH_OPTIONS, type SearchOption } from "./options.ts";
import { Results } from "./results.tsx";
import { SavedSearches } from "./saved.tsx";
import { useInventoryWords } from "./words/index.tsx";

export function SearchTitles({ isArrival }: { isArrival: boolean }) {
  const words = useWords();
  const [, , address] = useAddress();
  const asked = readSearch(address);
  const page = usePage(MAX_TITLES);
  const isAsked = hasSearch(asked);
  const found = useQuery({
    ...indexQuery(["titles", sortedQuery(asked), page.offset], () => loadTitles(asked, page)),
    enabled: isAsked,
  });
  const isFound = isAsked ? found.isSuccess : true;
  const total = isAsked ? found.data?.totalRecords : undefined;
  return (
    <div className="searched">
      <div className="found">
        <TitleSearchLine asked={asked} isArrival={isArrival} />
        <ChosenFilters chosen={asked.chosen} />
        <SearchTools asked={asked} total={total} isReady={isFound} />
        {!isAsked && <EmptyMessage>{words.inventory.ask}</EmptyMessage>}
        {isAsked && found.isPending && <Loading />}
        {isAsked && found.error && <ErrorMessage error={found.error} retry={() => void found.refetch()} />}
        {isAsked && found.data && !found.error && <FoundTitleList found={found.data} />}
      </div>
      <Filters asked={asked} isReady={isFound} total={total} isBeside />
    </div>
  );
}

function TitleSearchLine({ asked, isArrival }: { asked: TitleSearch; isArrival: boolean }) {
  const words = useWords();
  const own = useInventoryWords();
  const [, set] = useAddress();
  const isCql = asked.option === "cql";
  const ids = Object.keys(SEARCH_OPTIONS) as SearchOption[];
  const help = isCql ? own.helps.cql : own.helps.masks;
  return (
    <SearchLine
      label={words.inventory.search}
      help={asked.option === "anything" ? words.inventory.searchHelp : help}
      isMain={isArrival}
      waitsForEnter={isCql}
      before={
        <Choice
          label={own.option}
          hideLabel
          className="option-choice"
          options={ids.map((id) => ({ id, name: own.options[id] }))}
          value={asked.option}
          onChange={(option) => set({ option: option === "anything" ? undefined : option, page: undefined })}
        />
      }
    />
  );
}

interface ToolsProps {
  asked: TitleSearch;
  total: number | undefined;
  isReady: boolean;
}

/** The actions on the search as a whole: sorting, filters, saved searches and export. */
function SearchTools({ asked, total, isReady }: ToolsProps) {
  const own = useInventoryWords();
  const [, set] = useAddress();
  return (
    <div className="tools">
      <Choice
        className="inline sort-choice"
        label={own.sort}
        options={SORTS.map((id) => ({ id, name: own.sorts[id] }))}
        value={asked.sort}
        onChange={(sort) => set({ sort: sort === "relevance" ? undefined : sort, page: undefined })}
      />
      <div className="buttons">
        <ToFilters />
        <Filters asked={asked} isReady={isReady} total={total} isBeside={false} />
        <SavedSearches asked={asked} />
        <ExportButton asked={asked} total={total ?? 0} />
      </div>
    </div>
  );
}

function FoundTitleList({ found }: { found: TitleSearchResult }) {
  const words = useWords();
  const own = useInventoryWords();
  const [, set] = useAddress();
  const list = useRef<HTMLElement>(null);
  const { suggestions = [] } = found;
  const take = (suggestion: string) => {
    set({ query: suggestion, page: undefined }, true);
    // The button with the suggestion disappears, so the focus moves to the search field.
    list.current?.closest(".found")?.querySelector<HTMLInputElement>("input[type=search]")?.focus();
  };
  return (
    <section aria-label={words.list.results} ref={list}>
      <Pager total={found.totalRecords} most={MAX_TITLES} />
      {found.totalRecords === 0 && <EmptyMessage>{own.nothing}</EmptyMessage>}
      {suggestions.length > 0 && (
        <p className="suggestions" role="status">
          {own.meant}{" "}
          {suggestions.map((suggestion) => (
            <Button key={suggestion} onPress={() => take(suggestion)}>
              {suggestion}
            </Button>
          ))}
        </p>
      )}
      <Results titles={found.instances} />
    </section>
  );
}

/**
 * Loads a page of titles. The server suggests corrections for single clauses only, so a search in several indexes is
 * repeated with the words alone.
 */
async function loadTitles(asked: TitleSearch, page: { limit: number; offset: number }): Promise<TitleSearchResult> {
  const found = await searchTitles({ query: sortedQuery(asked), ...page });
  if (found.totalRecords > 0 || asked.option !== "anything" || asked.text === "") return found;
  for (const field of ["keyword", "subjects"]) {
    const byWords = searchQuery(asked, (text) => hasWords(field, text));
    const { suggestions } = await searchTitles({ query: byWords, limit: 0 });
    if (suggestions?.length) return { ...found, suggestions };
  }
  return found;
}
