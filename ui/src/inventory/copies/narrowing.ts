/** Filters the items of a title, and splits them into pages. */

import type { Holdings, Item } from "../../api/inventory.ts";

/** A set of holdings with those of its items that are shown. */
export interface HoldingsCopies {
  shelf: Holdings;
  place: string;
  items: Item[];
  /** The set of holdings began on the previous page. */
  goesOn?: boolean;
}

export interface CopyFilterValues {
  words: string;
  location: string;
  status: string;
}

/** The number of lines on a page; a set of holdings takes one line itself. */
export const LINES_PER_PAGE = 60;

export const holdingsLocationId = (shelf: Holdings) => shelf.effectiveLocationId ?? shelf.permanentLocationId;

/** Groups items by holdings, in the order of location and call number; numbers in volumes are compared as numbers. */
export function groupByHoldings(
  shelves: readonly Holdings[],
  items: readonly Item[],
  nameOf: (id: string) => string,
): HoldingsCopies[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const of = new Map(shelves.map(({ id }) => [id, [] as Item[]]));
  for (const item of items) of.get(item.holdingsRecordId ?? "")?.push(item);
  const byNumber = (one: Item, other: Item) => compare(itemSortKey(one), itemSortKey(other));
  return shelves
    .map((shelf) => ({
      shelf,
      place: nameOf(holdingsLocationId(shelf)),
      items: (of.get(shelf.id) ?? []).toSorted(byNumber),
    }))
    .sort(
      (one, other) =>
        compare(one.place, other.place) || compare(holdingsCallNumber(one.shelf), holdingsCallNumber(other.shelf)),
    );
}

const itemSortKey = ({ volume, enumeration, chronology, copyNumber, barcode }: Item) =>
  [volume ?? enumeration, chronology, copyNumber, barcode].map((part) => part ?? "").join(" ");

export const holdingsCallNumber = ({ callNumberPrefix, callNumber, callNumberSuffix }: Holdings) =>
  [callNumberPrefix, callNumber, callNumberSuffix].filter(Boolean).join(" ");

/** Filters items. A set of holdings without items is shown if no status is chosen and it matches the other filters. */
export function filterCopies(
  groups: readonly HoldingsCopies[],
  { words, location, status }: CopyFilterValues,
): HoldingsCopies[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string) => wanted.every((word) => text.includes(word));
  return groups.flatMap((group) => {
    const head = holdingsText(group);
    const isHere = location === "" || holdingsLocationId(group.shelf) === location;
    const items = group.items.filter(
      (item) =>
        (location === "" || (item.effectiveLocation?.id ?? holdingsLocationId(group.shelf)) === location) &&
        (status === "" || item.status.name === status) &&
        fits(`${head} ${itemText(item)}`),
    );
    const isShown = items.length > 0 || (group.items.length === 0 && isHere && status === "" && fits(head));
    return isShown ? [{ ...group, items }] : [];
  });
}

function holdingsText({ shelf, place }: HoldingsCopies): string {
  const statements = shelf.holdingsStatements?.map(({ statement }) => statement);
  const notes = shelf.notes?.map(({ note }) => note);
  const said = [place, holdingsCallNumber(shelf), shelf.copyNumber, shelf.shelvingTitle, shelf.hrid, statements, notes];
  return said.flat().filter(Boolean).join(" ").toLowerCase();
}

function itemText(item: Item): string {
  const { barcode, volume, enumeration, chronology, copyNumber, displaySummary, hrid, accessionNumber } = item;
  const number = item.effectiveCallNumberComponents?.callNumber;
  const kinds = [item.materialType.name, item.permanentLoanType.name, item.effectiveLocation?.name];
  const said = [barcode, volume, enumeration, chronology, copyNumber, displaySummary, hrid, accessionNumber, number];
  return [...said, ...kinds, item.notes?.map(({ note }) => note)].flat().filter(Boolean).join(" ").toLowerCase();
}

/** Splits the list into pages of so many lines. Holdings that do not fit on a page continue on the next one. */
export function splitIntoPages(groups: readonly HoldingsCopies[], lines = LINES_PER_PAGE): HoldingsCopies[][] {
  const pages: HoldingsCopies[][] = [[]];
  let left = lines;
  const turn = () => {
    pages.push([]);
    left = lines;
  };
  for (const group of groups) {
    let rest = group.items;
    let goesOn = false;
    do {
      // A heading is never the last line of a page if items follow it.
      if (left < 1 || (left < 2 && rest.length > 0)) turn();
      const here = rest.slice(0, left - 1);
      pages.at(-1)?.push({ ...group, items: here, ...(goesOn && { goesOn }) });
      left -= here.length + 1;
      rest = rest.slice(here.length);
      goesOn = true;
    } while (rest.length > 0);
  }
  return pages;
}
