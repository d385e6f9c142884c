/** The filters of a search for titles: facets of mod-search 3.2.6, by the names that the address uses for them. */

import { isAnyOf } from "../api/cql.ts";
import type { ListPath } from "../api/inventory.ts";

interface FacetField {
  field: string;
  /** The list that has the names of the values, if they are ids. */
  names?: ListPath;
  /** The facet is unfolded at first. */
  isOpen?: boolean;
}

export const FACETS = {
  status: { field: "items.status.name", isOpen: true },
  location: { field: "items.effectiveLocationId", names: "/locations", isOpen: true },
  language: { field: "languages", isOpen: true },
  resource: { field: "instanceTypeId", names: "/instance-types", isOpen: true },
  format: { field: "instanceFormatIds", names: "/instance-formats" },
  material: { field: "items.materialTypeId", names: "/material-types", isOpen: true },
  mode: { field: "modeOfIssuanceId", names: "/modes-of-issuance" },
  nature: { field: "natureOfContentTermIds", names: "/nature-of-content-terms" },
  shelf: { field: "holdings.permanentLocationId", names: "/locations" },
  holdings: { field: "holdingsTypeId", names: "/holdings-types" },
  state: { field: "statusId", names: "/instance-statuses" },
  statistical: { field: "statisticalCodes", names: "/statistical-codes" },
  tag: { field: "instanceTags" },
  itemTag: { field: "itemTags" },
  holdingsTag: { field: "holdingsTags" },
  staffSuppress: { field: "staffSuppress" },
  discoverySuppress: { field: "discoverySuppress" },
  source: { field: "source" },
} as const satisfies Record<string, FacetField>;

export type FacetName = keyof typeof FACETS;
export const FACET_NAMES = Object.keys(FACETS) as FacetName[];

/** The ticked values of each facet. */
export type ChosenFacets = Partial<Record<FacetName, readonly string[]>>;

export const facetField = (name: FacetName): string => FACETS[name].field;
export const facetNameList = (name: FacetName): ListPath | undefined => (FACETS[name] as FacetField).names;
export const isOpenAtFirst = (name: FacetName): boolean => (FACETS[name] as FacetField).isOpen ?? false;

export function facetQueries(chosen: ChosenFacets): string[] {
  return FACET_NAMES.flatMap((name) => {
    const values = chosen[name] ?? [];
    if (values.length === 0) return [];
    // In mod-search a single location hides the other locations from its own facet; naming it twice avoids that.
    return [isAnyOf(facetField(name), values.length === 1 ? [...values, ...values] : values)];
  });
}

/** At first so many values of a facet are shown. */
export const SHOWN_VALUES = 5;
/** At most so many values are shown when somebody wants the whole list. */
const MAX_VALUES = 500;

/**
 * The number of values to request for each facet: one more than is shown, which tells whether there are others. The
 * server subtracts ticked values from the requested number, each as often as the query names it.
 */
export function facetRequest(chosen: ChosenFacets): string {
  return FACET_NAMES.map((name) => `${facetField(name)}:${SHOWN_VALUES + 1 + 2 * (chosen[name]?.length ?? 0)}`).join(
    ",",
  );
}

export const wholeFacetRequest = (name: FacetName) => `${facetField(name)}:${MAX_VALUES}`;

export interface FacetValue {
  id: string;
  totalRecords: number;
}

/** The values to show: ticked ones first, also those that no title has. */
export function valuesToShow(values: readonly FacetValue[], ticked: readonly string[], most: number): FacetValue[] {
  const counts = new Map(values.map(({ id, totalRecords }) => [id, totalRecords]));
  const first = ticked.map((id) => ({ id, totalRecords: counts.get(id) ?? 0 }));
  const others = values.filter(({ id }) => !ticked.includes(id));
  return [...first, ...others.slice(0, Math.max(0, most - first.length))];
}
