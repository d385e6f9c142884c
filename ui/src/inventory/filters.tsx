/**
 * The filters of a search for titles, with the number of titles for each value. On wide screens they are beside the
 * list, on others in a dialog.
 */

import { useQuery } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { indexQuery, loadFacets } from "../api/search.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { DialogOpener } from "../parts/opens.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { ErrorMessage, Loading } from "../parts/states.tsx";
import { CheckboxField } from "../parts/tick.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { countChosen, searchQuery, type TitleSearch } from "./asked.ts";
import {
  FACET_NAMES,
  type FacetName,
  type FacetValue,
  facetField,
  facetRequest,
  isOpenAtFirst,
  SHOWN_VALUES,
  valuesToShow,
  wholeFacetRequest,
} from "./facets.ts";
import { useValueNames, type ValueNames } from "./filter-names.ts";
import { useInventoryWords } from "./words/index.tsx";

/** The permission to count titles; without it no filters are shown. */
const FACETS_PERMISSION = "search.facets.collection.get";

const wideScreen = matchMedia("(min-width: 64rem)");
const watchScreenWidth = (listener: () => void) => {
  wideScreen.addEventListener("change", listener);
  return () => wideScreen.removeEventListener("change", listener);
};

/** Whether the screen is wide enough for the filters beside the list. */
const useIsWideScreen = () => useSyncExternalStore(watchScreenWidth, () => wideScreen.matches);

interface Props {
  asked: TitleSearch;
  /** Filters are loaded after the list of titles. */
  isReady: boolean;
  total: number | undefined;
  isBeside: boolean;
}

export function Filters({ isBeside, ...props }: Props) {
  const isPermitted = useMay()(FACETS_PERMISSION);
  const areBeside = useIsWideScreen();
  if (!isPermitted || areBeside !== isBeside) return null;
  return isBeside ? <FiltersBeside {...props} /> : <FiltersButton {...props} />;
}

/** A button that leads to the filters beside the list: by keyboard they come after all titles. */
export function ToFilters() {
  const own = useInventoryWords().filters;
  const isPermitted = useMay()(FACETS_PERMISSION);
  if (!useIsWideScreen() || !isPermitted) return null;
  return (
    <Button className="jump" onPress={() => document.getElementById("filters")?.focus()}>
      {own.jump}
    </Button>
  );
}

type FilterPanelProps = Omit<Props, "isBeside">;

function FiltersBeside({ asked, isReady }: FilterPanelProps) {
  const own = useInventoryWords().filters;
  return (
    <section className="filters" id="filters" tabIndex={-1} aria-labelledby="filters-title">
      <h2 id="filters-title">{own.title}</h2>
      <Facets asked={asked} isReady={isReady} />
    </section>
  );
}

function FiltersButton({ asked, isReady, total }: FilterPanelProps) {
  const own = useInventoryWords();
  const words = useWords();
  return (
    <DialogOpener>
      <Button>{own.filters.button(countChosen(asked.chosen))}</Button>
      <Dialog title={own.filters.title}>
        {(close) => (
          <div className="filters">
            <Facets asked={asked} isReady={isReady} />
            <div className="buttons">
              <Button kind="primary" onPress={close}>
                {total === undefined ? words.close : own.filters.show(total)}
              </Button>
            </div>
          </div>
        )}
      </Dialog>
    </DialogOpener>
  );
}

function Facets({ asked, isReady }: { asked: TitleSearch; isReady: boolean }) {
  const names = useValueNames();
  const text = searchQuery(asked);
  const facet = facetRequest(asked.chosen);
  const counted = useQuery({ ...indexQuery(["facets", text, facet], () => loadFacets(text, facet)), enabled: isReady });
  // While the index is being built, the list of titles says so.
  if (!isReady && counted.data === undefined) return null;
  if (counted.error) return <ErrorMessage error={counted.error} retry={() => void counted.refetch()} />;
  if (counted.isPending || !names.areLoaded) return <Loading />;
  return FACET_NAMES.map((name) => {
    const values = counted.data.facets[facetField(name)]?.values ?? [];
    const ticked = asked.chosen[name] ?? [];
    if (values.length === 0 && ticked.length === 0) return null;
    return <Facet key={name} name={name} values={values} ticked={ticked} text={text} names={names} />;
  });
}

interface FacetProps {
  name: FacetName;
  values: readonly FacetValue[];
  ticked: readonly string[];
  /** The query whose titles are counted. */
  text: string;
  names: ValueNames;
}

function Facet({ name, values, ticked, text, names }: FacetProps) {
  const own = useInventoryWords().filters;
  const formats = useFormats();
  const [, set] = useAddress();
  const [isWhole, setWhole] = useState(false);
  const [isOpen] = useState(isOpenAtFirst(name) || ticked.length > 0);
  const whole = useQuery({
    ...indexQuery(["facet", name, text], () => loadFacets(text, wholeFacetRequest(name))),
    enabled: isWhole,
  }).data?.facets[facetField(name)]?.values;
  const most = isWhole ? Number.POSITIVE_INFINITY : Math.max(SHOWN_VALUES, ticked.length);
  const listed = valuesToShow((isWhole && whole) || values, ticked, most);
  const hasMore = valuesToShow(values, ticked, Number.POSITIVE_INFINITY).length > listed.length;
  const tick = (id: string, isTicked: boolean) =>
    set({ [name]: isTicked ? [...ticked, id] : ticked.filter((one) => one !== id), page: undefined });
  return (
    <details className="facet" open={isOpen}>
      <summary>
        {own.facets[name]}
        {ticked.length > 0 && <span className="count">{ticked.length}</span>}
      </summary>
      {/* biome-ignore lint/a11y/useSemanticElements: the summary is the legend that is seen */}
      <div className="values" role="group" aria-label={own.facets[name]}>
        {listed.map(({ id, totalRecords }) => (
          <CheckboxField key={id} value={ticked.includes(id)} onChange={(isTicked) => tick(id, isTicked)}>
            <span className="value">{names.nameOf(name, id)}</span>
            <span className="how-many">{formats.number(totalRecords)}</span>
          </CheckboxField>
        ))}
      </div>
      {(hasMore || isWhole) && (
        <Button
          kind="quiet"
          aria-label={isWhole ? own.fewer(own.facets[name]) : own.more(own.facets[name])}
          onPress={() => setWhole(!isWhole)}
        >
          {isWhole ? own.fewerShort : own.moreShort}
        </Button>
      )}
    </details>
  );
}
