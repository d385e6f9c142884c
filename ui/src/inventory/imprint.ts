/** A title in a line or two. */

import type { Title } from "../api/inventory.ts";

/** Who, where, when. */
export function imprint({ contributors = [], publication = [] }: Title): string {
  const [who] = contributors;
  const [made] = publication;
  return [who?.name, [made?.publisher, made?.dateOfPublication].filter(Boolean).join(" ")].filter(Boolean).join(" · ");
}

/** Under what its items stand on the shelf, each once. */
export function callNumbers({ items = [] }: Title): string[] {
  const all = items.map(({ effectiveCallNumberComponents: parts }) =>
    [parts?.prefix, parts?.callNumber, parts?.suffix].filter(Boolean).join(" "),
  );
  return [...new Set(all.filter(Boolean))];
}

export const available = ({ items = [] }: Title): number =>
  items.filter(({ status }) => status.name === "Available").length;
