/** The filters that are set, each with a button that removes it. */

import { Button } from "../parts/button.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { countChosen } from "./asked.ts";
import { type ChosenFacets, FACET_NAMES } from "./facets.ts";
import { useValueNames } from "./filter-names.ts";
import { useInventoryWords } from "./words/index.tsx";

export function ChosenFilters({ chosen }: { chosen: ChosenFacets }) {
  const own = useInventoryWords().filters;
  const [, set] = useAddress();
  const { nameOf } = useValueNames();
  if (countChosen(chosen) === 0) return null;
  const all = FACET_NAMES.flatMap((facet) => (chosen[facet] ?? []).map((value) => ({ facet, value })));
  // The button that had the focus is gone, so the focus moves to the search field.
  const goOn = () => document.querySelector<HTMLInputElement>(".found input[type=search]")?.focus();
  const takeOff = (facet: (typeof FACET_NAMES)[number], value: string) => {
    set({ [facet]: (chosen[facet] ?? []).filter((one) => one !== value), page: undefined });
    goOn();
  };
  const clear = () => {
    set({ ...Object.fromEntries(FACET_NAMES.map((facet) => [facet, undefined])), page: undefined });
    goOn();
  };
  return (
    <div className="chosen-filters">
      {all.map(({ facet, value }) => (
        <Button
          key={`${facet} ${value}`}
          className="chip"
          aria-label={own.remove(own.facets[facet], nameOf(facet, value))}
          onPress={() => takeOff(facet, value)}
        >
          <span>
            {own.facets[facet]}: <strong>{nameOf(facet, value)}</strong>
          </span>
          <span className="cross" aria-hidden="true" />
        </Button>
      ))}
      <Button kind="quiet" onPress={clear}>
        {own.clear}
      </Button>
    </div>
  );
}
