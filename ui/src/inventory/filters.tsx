/** By what a list of titles can be narrowed, with how many each would leave: beside the list, or behind a button. */

import { useQuery } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { facetsOf, ofIndex } from "../api/search.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Opens } from "../parts/opens.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { Loading, Trouble } from "../parts/states.tsx";
import { Tick } from "../parts/tick.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { type Asked, howManyChosen, query } from "./asked.ts";
import {
  type Counted,
  FACET_NAMES,
  type FacetName,
  FEW,
  fieldOf,
  isOpenAtFirst,
  shown,
  wanted,
  wantedWhole,
} from "./facets.ts";
import { useValueNames, type ValueNames } from "./filter-names.ts";
import { useInventoryWords } from "./words/index.tsx";

/** Filters stand nowhere without their numbers. */
const COUNTING = "search.facets.collection.get";

const wide = matchMedia("(min-width: 64rem)");
const follow = (listener: () => void) => {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
};

/** Whether there is room for them beside the list. */
const useFiltersBeside = () => useSyncExternalStore(follow, () => wide.matches);

interface Props {
  asked: Asked;
  /** Nobody waits for them: the list comes first. */
  isReady: boolean;
  total: number | undefined;
  isBeside: boolean;
}

export function Filters({ isBeside, ...props }: Props) {
  const isPermitted = useMay()(COUNTING);
  const areBeside = useFiltersBeside();
  if (!isPermitted || areBeside !== isBeside) return null;
  return isBeside ? <Beside {...props} /> : <Behind {...props} />;
}

/** The way to those beside the list, for those who come by keyboard: they stand behind all titles. */
export function ToFilters() {
  const own = useInventoryWords().filters;
  const isPermitted = useMay()(COUNTING);
  if (!useFiltersBeside() || !isPermitted) return null;
  return (
    <Button className="jump" onPress={() => document.getElementById("filters")?.focus()}>
      {own.jump}
    </Button>
  );
}

type Inside = Omit<Props, "isBeside">;

function Beside({ asked, isReady }: Inside) {
  const own = useInventoryWords().filters;
  return (
    <section className="filters" id="filters" tabIndex={-1} aria-labelledby="filters-title">
      <h2 id="filters-title">{own.title}</h2>
      <Facets asked={asked} isReady={isReady} />
    </section>
  );
}

function Behind({ asked, isReady, total }: Inside) {
  const own = useInventoryWords();
  const words = useWords();
  return (
    <Opens>
      <Button>{own.filters.button(howManyChosen(asked.chosen))}</Button>
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
    </Opens>
  );
}

function Facets({ asked, isReady }: { asked: Asked; isReady: boolean }) {
  const names = useValueNames();
  const text = query(asked);
  const facet = wanted(asked.chosen);
  const counted = useQuery({ ...ofIndex(["facets", text, facet], () => facetsOf(text, facet)), enabled: isReady });
  // While the index is made, the list says so.
  if (!isReady && counted.data === undefined) return null;
  if (counted.error) return <Trouble error={counted.error} retry={() => void counted.refetch()} />;
  if (counted.isPending || !names.areThere) return <Loading />;
  return FACET_NAMES.map((name) => {
    const values = counted.data.facets[fieldOf(name)]?.values ?? [];
    const ticked = asked.chosen[name] ?? [];
    if (values.length === 0 && ticked.length === 0) return null;
    return <Facet key={name} name={name} values={values} ticked={ticked} text={text} names={names} />;
  });
}

interface FacetProps {
  name: FacetName;
  values: readonly Counted[];
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
    ...ofIndex(["facet", name, text], () => facetsOf(text, wantedWhole(name))),
    enabled: isWhole,
  }).data?.facets[fieldOf(name)]?.values;
  const most = isWhole ? Number.POSITIVE_INFINITY : Math.max(FEW, ticked.length);
  const listed = shown((isWhole && whole) || values, ticked, most);
  const hasMore = shown(values, ticked, Number.POSITIVE_INFINITY).length > listed.length;
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
          <Tick key={id} value={ticked.includes(id)} onChange={(isTicked) => tick(id, isTicked)}>
            <span className="value">{names.nameOf(name, id)}</span>
            <span className="how-many">{formats.number(totalRecords)}</span>
          </Tick>
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
