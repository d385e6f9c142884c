/** What a list of titles can be narrowed by: fields of mod-search 3.2.6 that are facets, under the names that the address has. */

import { isAnyOf } from "../api/cql.ts";
import type { NamedPath } from "../api/inventory.ts";

interface Facet {
  field: string;
  /** Where its values get their names from, if they are ids. */
  names?: NamedPath;
  /** Shown without being asked for. */
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
} as const satisfies Record<string, Facet>;

export type FacetName = keyof typeof FACETS;
export const FACET_NAMES = Object.keys(FACETS) as FacetName[];

/** The values that are ticked. */
export type Chosen = Partial<Record<FacetName, readonly string[]>>;

export const fieldOf = (name: FacetName): string => FACETS[name].field;
export const namesOf = (name: FacetName): NamedPath | undefined => (FACETS[name] as Facet).names;
export const isOpenAtFirst = (name: FacetName): boolean => (FACETS[name] as Facet).isOpen ?? false;

export function filters(chosen: Chosen): string[] {
  return FACET_NAMES.flatMap((name) => {
    const values = chosen[name] ?? [];
    if (values.length === 0) return [];
    // In mod-search a single location hides the others from its own facet; one that is said twice does not.
    return [isAnyOf(fieldOf(name), values.length === 1 ? [...values, ...values] : values)];
  });
}

/** So many values of a facet are shown at once. */
export const FEW = 5;
/** So many are shown of one whose whole list somebody wants. */
const MANY = 500;

/**
 * How each facet is asked for: one value more than is shown tells whether there are others. The server takes ticked values off the
 * number that it was asked for, each as often as the query names it.
 */
export function wanted(chosen: Chosen): string {
  return FACET_NAMES.map((name) => `${fieldOf(name)}:${FEW + 1 + 2 * (chosen[name]?.length ?? 0)}`).join(",");
}

export const wantedWhole = (name: FacetName) => `${fieldOf(name)}:${MANY}`;

export interface Counted {
  id: string;
  totalRecords: number;
}

/** The values to show, the ticked ones first, also those that no title has. */
export function shown(values: readonly Counted[], ticked: readonly string[], most: number): Counted[] {
  const counts = new Map(values.map(({ id, totalRecords }) => [id, totalRecords]));
  const first = ticked.map((id) => ({ id, totalRecords: counts.get(id) ?? 0 }));
  const others = values.filter(({ id }) => !ticked.includes(id));
  return [...first, ...others.slice(0, Math.max(0, most - first.length))];
}
