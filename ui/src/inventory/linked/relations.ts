/** The links of a title to other titles, and merging them with changes that somebody else has made meanwhile. */

import type { FieldSpec, RecordJson } from "../editing/spec.ts";

export type RelatedSpec = Extract<FieldSpec, { is: "titles" }>;

/** A link to a title that is not in the catalogue has its title and identifiers instead of an id. */
export interface Link extends RecordJson {
  title?: string;
  hrid?: string;
  identifiers?: { identifierTypeId: string; value: string }[];
}

export const linksIn = (record: object, at: string): Link[] => {
  const said = (record as RecordJson)[at];
  return Array.isArray(said) ? (said as Link[]) : [];
};

export const linkedTitleId = (link: Link, { other }: RelatedSpec): string | undefined =>
  typeof link[other] === "string" ? link[other] : undefined;

/** The links as they are sent to the server; empty lines are left out. */
export function cleanLinks(links: readonly Link[], spec: RelatedSpec): Link[] {
  return links.flatMap((link) => {
    if (linkedTitleId(link, spec) !== undefined) return [link];
    const identifiers = link.identifiers
      ?.map((one) => ({ ...one, value: one.value.trim() }))
      .filter(({ value }) => value);
    const title = link.title?.trim() ?? "";
    return title || identifiers?.length ? [{ ...link, title, ...(identifiers && { identifiers }) }] : [];
  });
}

/** Changes one identifier of a title that is not in the catalogue; identifiers of other types stay. */
export function withNumber(link: Link, identifierTypeId: string, value: string): Link {
  const others = link.identifiers?.filter((one) => one.identifierTypeId !== identifierTypeId) ?? [];
  return { ...link, identifiers: value ? [...others, { identifierTypeId, value }] : others };
}

/**
 * A title is sent with all of its links, and the server removes missing ones. A link belongs to two titles and has no
 * version: it may have been added or removed at the other title since the form was opened. So the stored links are
 * sent, with the changes that were made here.
 */
export function mergeLinks(
  record: RecordJson,
  opened: RecordJson,
  now: RecordJson,
  specs: readonly RelatedSpec[],
): RecordJson {
  const kept = specs.map(({ at }) => {
    const before = new Set(linksIn(opened, at).map(({ id }) => id));
    const stored = linksIn(now, at);
    const isStored = new Set(stored.map(({ id }) => id));
    const mine = linksIn(record, at).filter(({ id }) => !before.has(id) || isStored.has(id));
    const theirs = stored.filter(({ id }) => !before.has(id) && !mine.some((one) => one.id === id));
    return [at, [...mine, ...theirs]] as const;
  });
  return { ...record, ...Object.fromEntries(kept) };
}
