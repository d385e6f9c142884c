/** Describes a title in one or two lines. */

import type { Title } from "../api/inventory.ts";

/** The first contributor, the publisher and the date of publication. */
export function imprint({ contributors = [], publication = [] }: Title): string {
  const [who] = contributors;
  const [made] = publication;
  return [who?.name, [made?.publisher, made?.dateOfPublication].filter(Boolean).join(" ")].filter(Boolean).join(" · ");
}

/** The call numbers of a title's items, each once. */
export function callNumbers({ items = [] }: Title): string[] {
  const all = items.map(({ effectiveCallNumberComponents: parts }) =>
    [parts?.prefix, parts?.callNumber, parts?.suffix].filter(Boolean).join(" "),
  );
  return [...new Set(all.filter(Boolean))];
}

export const countAvailable = ({ items = [] }: Title): number =>
  items.filter(({ status }) => status.name === "Available").length;
