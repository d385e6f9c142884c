/** The calls about authorities. */

import { queryOptions } from "@tanstack/react-query";
import { all, any, contains, hasWords, is } from "../api/cql.ts";
import { ask } from "../api/http.ts";
import type { Title } from "../api/inventory.ts";
import { browse, ofIndex } from "../api/search.ts";
import { around, type Place } from "../parts/browsing.ts";

const HOUR = 3_600_000;

export const NEEDS = {
  search: "search.authorities.collection.get",
  browse: "browse.authorities.collection.get",
  see: "inventory-storage.authorities.item.get",
  remove: "inventory-storage.authorities.item.delete",
  counts: "instance-authority-links.authorities.bulk.post",
  changes: "instance-authority-links.authority-statistics.collection.get",
  titles: "search.instances.collection.get",
  files: "inventory-storage.authority-source-files.collection.get",
} as const;

/** One heading of an authority: its own, or one that refers to it. */
export interface Heading {
  id: string;
  headingRef?: string;
  headingType?: string;
  authRefType?: string;
  naturalId?: string;
  sourceFileId?: string;
  numberOfTitles?: number;
}

export const KINDS = [
  "Personal Name",
  "Corporate Name",
  "Conference Name",
  "Uniform Title",
  "Topical",
  "Geographic Name",
  "Genre",
] as const;

export const OWN = "Authorized";

export interface Asked {
  words: string;
  kind: string;
  file: string;
  /** Also the headings that refer to others. */
  references: boolean;
}

export function query(asked: Asked): string {
  const { words } = asked;
  const meant = words && any(hasWords("keyword", words), is("naturalId", words), contains("identifiers.value", words));
  const parts = [...(meant ? [meant] : []), ...filters(asked)];
  return parts.length > 0 ? all(...parts) : "cql.allRecords=1";
}

export const filters = ({ kind, file, references }: Omit<Asked, "words">): string[] =>
  [kind && is("headingType", kind), file && is("sourceFileId", file), !references && is("authRefType", OWN)].filter(
    (part) => typeof part === "string" && part !== "",
  ) as string[];

/** A line of the list of headings. Without an authority it says where what was typed would be. */
export interface Line {
  headingRef: string;
  authority?: Heading;
  isAnchor?: boolean;
}

export const headingsAround = (place: Place, asked: Omit<Asked, "words">) => {
  const question = around(place, "headingRef", { filters: filters(asked) });
  return ofIndex(["browse", "authorities", question], () => browse<Line>("/browse/authorities", question));
};

interface Found {
  authorities: Heading[];
  totalRecords: number;
}

export const headingsFor = (asked: Asked, limit: number) =>
  ask<Found>("/search/authorities", {
    query: { query: `${query(asked)} sortBy headingRef`, limit },
    mayBeBusy: true,
  });

/** An answer names no more than this. */
export const MOST = 500;

/** How many titles are linked to each. */
export async function countsOf(ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const { links } = await ask<{ links: { id: string; totalLinks: number }[] }>("/links/authorities/bulk/count", {
    method: "POST",
    body: { ids: [...new Set(ids)] },
  });
  return new Map(links.map(({ id, totalLinks }) => [id, totalLinks]));
}

export const linkedTitles = (authorityId: string, limit: number, offset = 0) =>
  queryOptions({
    queryKey: ["linked-titles", authorityId, limit, offset],
    queryFn: () =>
      ask<{ instances: Title[]; totalRecords: number }>("/search/instances", {
        query: { query: `${is("authorityId", authorityId)} sortBy title`, limit, offset },
        mayBeBusy: true,
      }),
  });

export interface SourceFile {
  id: string;
  name: string;
  baseUrl?: string;
}

export const sourceFiles = queryOptions({
  queryKey: ["authority-source-files-by-name"],
  staleTime: HOUR,
  queryFn: async () => {
    const query = { query: "cql.allRecords=1 sortby name", limit: 2000 };
    return (await ask<{ authoritySourceFiles: SourceFile[] }>("/authority-source-files", { query }))
      .authoritySourceFiles;
  },
});

/** As FOLIO keeps it; each kind of heading is a member of its own. */
export type Authority = {
  id: string;
  naturalId?: string;
  sourceFileId?: string;
  source?: string;
  notes?: { note: string }[];
  metadata?: { updatedDate?: string };
} & { [member: string]: unknown };

export const authority = (id: string) =>
  queryOptions({ queryKey: ["authority", id], queryFn: () => ask<Authority>(`/authority-storage/authorities/${id}`) });

export const removeAuthority = (id: string) => ask(`/authority-storage/authorities/${id}`, { method: "DELETE" });

export interface Change {
  id: string;
  authorityId: string;
  action: "DELETE" | "UPDATE_NATURAL_ID" | "UPDATE_HEADING";
  headingOld?: string;
  headingNew?: string;
  naturalIdOld?: string;
  naturalIdNew?: string;
  lbTotal?: number;
  lbUpdated?: number;
  lbFailed?: number;
  metadata?: {
    startedAt?: string;
    completedAt?: string;
    startedByUserFirstName?: string;
    startedByUserLastName?: string;
  };
}

const DAYS = 90;
const DAY_MS = 86_400_000;
const MOST_CHANGES = 100;

/** The changes of the last months, the newest first. */
export async function changes(action: Change["action"], now: number): Promise<Change[]> {
  const { stats } = await ask<{ stats?: Change[] }>("/links/stats/authority", {
    query: {
      fromDate: new Date(now - DAYS * DAY_MS).toISOString(),
      toDate: new Date(now + DAY_MS).toISOString(),
      action,
      limit: MOST_CHANGES,
    },
  });
  return stats ?? [];
}

/** Titles that it has not come to yet. */
export const left = ({ lbTotal = 0, lbUpdated = 0, lbFailed = 0 }: Change) =>
  Math.max(0, lbTotal - lbUpdated - lbFailed);

export const isRunning = (change: Change) => left(change) > 0 && change.metadata?.completedAt === undefined;
