/** What the box says that finds anything, in English. Another language is another file of this shape. */

export const en = {
  title: "Search everything",
  label: "Card, barcode, name, title, setting or page",
  help: "Arrow keys choose, Enter opens, Escape closes.",
  none: (text: string) => `Nothing found for “${text}”.`,
  looking: "Looking",
  found: (count: number) => (count === 1 ? "1 found" : `${count} found`),
  kinds: { page: "Page", setting: "Setting", patron: "Patron", title: "Title", request: "Request" },
  failed: (kinds: string) => `Not everything could be looked through: ${kinds}.`,
};

export type FinderWords = typeof en;
