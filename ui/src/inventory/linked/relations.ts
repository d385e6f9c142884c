/** The links of a title to others, as they are sent with it: which there are, and what somebody else has made of them meanwhile. */

import type { Spec, Stored } from "../editing/spec.ts";

export type RelatedSpec = Extract<Spec, { is: "titles" }>;

/** A title that the catalogue does not have is kept by its name and numbers. */
export interface Link extends Stored {
  title?: string;
  hrid?: string;
  identifiers?: { identifierTypeId: string; value: string }[];
}

export const linksIn = (record: object, at: string): Link[] => {
  const said = (record as Stored)[at];
  return Array.isArray(said) ? (said as Link[]) : [];
};

export const otherOf = (link: Link, { other }: RelatedSpec): string | undefined =>
  typeof link[other] === "string" ? link[other] : undefined;

/** As it is sent: a line in which nobody has written is none. */
export function finishedLinks(links: readonly Link[], spec: RelatedSpec): Link[] {
  return links.flatMap((link) => {
    if (otherOf(link, spec) !== undefined) return [link];
    const identifiers = link.identifiers
      ?.map((one) => ({ ...one, value: one.value.trim() }))
      .filter(({ value }) => value);
    const title = link.title?.trim() ?? "";
    return title || identifiers?.length ? [{ ...link, title, ...(identifiers && { identifiers }) }] : [];
  });
}

/** The numbers of a title that the catalogue does not have: one of each kind is written here, others stay. */
export function withNumber(link: Link, identifierTypeId: string, value: string): Link {
  const others = link.identifiers?.filter((one) => one.identifierTypeId !== identifierTypeId) ?? [];
  return { ...link, identifiers: value ? [...others, { identifierTypeId, value }] : others };
}

/**
 * A title is sent with all of its links, and the server removes those that are missing. A link has two ends and no version: from the
 * other one it may have been made or removed since the form was opened. So what is sent is what is stored now, with what was
 * changed here.
 */
export function withLinksOfOthers(record: Stored, opened: Stored, now: Stored, specs: readonly RelatedSpec[]): Stored {
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
