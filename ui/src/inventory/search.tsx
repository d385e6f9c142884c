/** The search itself: where one types, what narrows it, and the titles that it finds. */

import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { hasWords } from "../api/cql.ts";
import { type Found, MOST, ofIndex, searchTitles } from "../api/search.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { Pager, usePage } from "../parts/pager.tsx";
import { SearchLine, useAddress } from "../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { useWords } from "../words/index.tsx";
import { type Asked, isSomething, query, queryInOrder, read, SORTS } from "./asked.ts";
import { ChosenFilters } from "./chosen-filters.tsx";
import { Export } from "./export.tsx";
import { Filters, ToFilters } from "./filters.tsx";
import { OPTIONS, type Option } from "./options.ts";
import { Results } from "./results.tsx";
import { SavedSearches } from "./saved.tsx";
import { useInventoryWords } from "./words/index.tsx";

export function SearchTitles({ isArrival }: { isArrival: boolean }) {
  const words = useWords();
  const [, , address] = useAddress();
  const asked = read(address);
  const page = usePage(MOST);
  const isAsked = isSomething(asked);
  const found = useQuery({
    ...ofIndex(["titles", queryInOrder(asked), page.offset], () => titles(asked, page)),
    enabled: isAsked,
  });
  const isFound = isAsked ? found.isSuccess : true;
  const total = isAsked ? found.data?.totalRecords : undefined;
  return (
    <div className="searched">
      <div className="found">
        <Line asked={asked} isArrival={isArrival} />
        <ChosenFilters chosen={asked.chosen} />
        <Tools asked={asked} total={total} isReady={isFound} />
        {!isAsked && <Empty>{words.inventory.ask}</Empty>}
        {isAsked && found.isPending && <Loading />}
        {isAsked && found.error && <Trouble error={found.error} retry={() => void found.refetch()} />}
        {isAsked && found.data && !found.error && <Listed found={found.data} />}
      </div>
      <Filters asked={asked} isReady={isFound} total={total} isBeside />
    </div>
  );
}

function Line({ asked, isArrival }: { asked: Asked; isArrival: boolean }) {
  const words = useWords();
  const own = useInventoryWords();
  const [, set] = useAddress();
  const isCql = asked.option === "cql";
  const ids = Object.keys(OPTIONS) as Option[];
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
  asked: Asked;
  total: number | undefined;
  isReady: boolean;
}

/** What is done with a search as a whole. */
function Tools({ asked, total, isReady }: ToolsProps) {
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
        <Export asked={asked} total={total ?? 0} />
      </div>
    </div>
  );
}

function Listed({ found }: { found: Found }) {
  const words = useWords();
  const own = useInventoryWords();
  const [, set] = useAddress();
  const list = useRef<HTMLElement>(null);
  const { suggestions = [] } = found;
  const take = (suggestion: string) => {
    set({ query: suggestion, page: undefined }, true);
    // The button goes with the search that has found nothing.
    list.current?.closest(".found")?.querySelector<HTMLInputElement>("input[type=search]")?.focus();
  };
  return (
    <section aria-label={words.list.results} ref={list}>
      <Pager total={found.totalRecords} most={MOST} />
      {found.totalRecords === 0 && <Empty>{own.nothing}</Empty>}
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

/** A page of titles. The server corrects the words of one clause: a search of several ways is corrected by its words alone. */
async function titles(asked: Asked, page: { limit: number; offset: number }): Promise<Found> {
  const found = await searchTitles({ query: queryInOrder(asked), ...page });
  if (found.totalRecords > 0 || asked.option !== "anything" || asked.text === "") return found;
  for (const field of ["keyword", "subjects"]) {
    const byWords = query(asked, (text) => hasWords(field, text));
    const { suggestions } = await searchTitles({ query: byWords, limit: 0 });
    if (suggestions?.length) return { ...found, suggestions };
  }
  return found;
}
