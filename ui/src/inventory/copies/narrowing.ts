/** What a title's copies are narrowed to, and how many of them stand on a page. */

import type { Holdings, Item } from "../../api/inventory.ts";

/** Holdings with those of their items that are shown. */
export interface Group {
  shelf: Holdings;
  place: string;
  items: Item[];
  /** Begun on the page before. */
  goesOn?: boolean;
}

export interface Wanted {
  words: string;
  location: string;
  status: string;
}

/** So many lines stand on a page; holdings have one for themselves. */
export const LINES = 60;

export const locationOf = (shelf: Holdings) => shelf.effectiveLocationId ?? shelf.permanentLocationId;

/** Groups in the order of location and call number; volumes count as numbers. */
export function grouped(shelves: readonly Holdings[], items: readonly Item[], nameOf: (id: string) => string): Group[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const of = new Map(shelves.map(({ id }) => [id, [] as Item[]]));
  for (const item of items) of.get(item.holdingsRecordId ?? "")?.push(item);
  const byNumber = (one: Item, other: Item) => compare(orderOf(one), orderOf(other));
  return shelves
    .map((shelf) => ({ shelf, place: nameOf(locationOf(shelf)), items: (of.get(shelf.id) ?? []).toSorted(byNumber) }))
    .sort(
      (one, other) => compare(one.place, other.place) || compare(callNumberOf(one.shelf), callNumberOf(other.shelf)),
    );
}

const orderOf = ({ volume, enumeration, chronology, copyNumber, barcode }: Item) =>
  [volume ?? enumeration, chronology, copyNumber, barcode].map((part) => part ?? "").join(" ");

export const callNumberOf = ({ callNumberPrefix, callNumber, callNumberSuffix }: Holdings) =>
  [callNumberPrefix, callNumber, callNumberSuffix].filter(Boolean).join(" ");

/** Holdings without items stand there while they are not narrowed by status, and fit what else is asked for. */
export function narrowed(groups: readonly Group[], { words, location, status }: Wanted): Group[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string) => wanted.every((word) => text.includes(word));
  return groups.flatMap((group) => {
    const head = textOfShelf(group);
    const isHere = location === "" || locationOf(group.shelf) === location;
    const items = group.items.filter(
      (item) =>
        (location === "" || (item.effectiveLocation?.id ?? locationOf(group.shelf)) === location) &&
        (status === "" || item.status.name === status) &&
        fits(`${head} ${textOfItem(item)}`),
    );
    const isShown = items.length > 0 || (group.items.length === 0 && isHere && status === "" && fits(head));
    return isShown ? [{ ...group, items }] : [];
  });
}

function textOfShelf({ shelf, place }: Group): string {
  const statements = shelf.holdingsStatements?.map(({ statement }) => statement);
  const notes = shelf.notes?.map(({ note }) => note);
  const said = [place, callNumberOf(shelf), shelf.copyNumber, shelf.shelvingTitle, shelf.hrid, statements, notes];
  return said.flat().filter(Boolean).join(" ").toLowerCase();
}

function textOfItem(item: Item): string {
  const { barcode, volume, enumeration, chronology, copyNumber, displaySummary, hrid, accessionNumber } = item;
  const number = item.effectiveCallNumberComponents?.callNumber;
  const kinds = [item.materialType.name, item.permanentLoanType.name, item.effectiveLocation?.name];
  const said = [barcode, volume, enumeration, chronology, copyNumber, displaySummary, hrid, accessionNumber, number];
  return [...said, ...kinds, item.notes?.map(({ note }) => note)].flat().filter(Boolean).join(" ").toLowerCase();
}

/** Pages of so many lines. Holdings that do not fit on what is left of a page go on on the next. */
export function pagesOf(groups: readonly Group[], lines = LINES): Group[][] {
  const pages: Group[][] = [[]];
  let left = lines;
  const turn = () => {
    pages.push([]);
    left = lines;
  };
  for (const group of groups) {
    let rest = group.items;
    let goesOn = false;
    do {
      // A heading is not the last line of a page while items follow it.
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
