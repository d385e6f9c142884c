/** Calls of FOLIO's interfaces for authorities. */

import { queryOptions } from "@tanstack/react-query";
import { and, containsWord, equals, hasWords, or } from "../api/cql.ts";
import { ask } from "../api/http.ts";
import type { Title } from "../api/inventory.ts";
import { indexQuery, loadBrowsePage } from "../api/search.ts";
import { browseParameters, type ListPosition } from "../parts/browsing.ts";

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

/** A heading of an authority: the authorized one, or a see or see also reference. */
export interface Heading {
  id: string;
  headingRef?: string;
  headingType?: string;
  authRefType?: string;
  naturalId?: string;
  sourceFileId?: string;
  numberOfTitles?: number;
}

export const HEADING_TYPES = [
  "Personal Name",
  "Corporate Name",
  "Conference Name",
  "Uniform Title",
  "Topical",
  "Geographic Name",
  "Genre",
] as const;

export const AUTHORIZED = "Authorized";

export interface HeadingSearch {
  words: string;
  kind: string;
  file: string;
  /** Include see and see also references. */
  references: boolean;
}

export function searchQuery(asked: HeadingSearch): string {
  const { words } = asked;
  const meant =
    words && or(hasWords("keyword", words), equals("naturalId", words), containsWord("identifiers.value", words));
  const parts = [...(meant ? [meant] : []), ...filterConditions(asked)];
  return parts.length > 0 ? and(...parts) : "cql.allRecords=1";
}

export const filterConditions = ({ kind, file, references }: Omit<HeadingSearch, "words">): string[] =>
  [
    kind && equals("headingType", kind),
    file && equals("sourceFileId", file),
    !references && equals("authRefType", AUTHORIZED),
  ].filter((part) => typeof part === "string" && part !== "") as string[];

/** A line of the browse list. A line without an authority shows where the typed text would be. */
export interface BrowseLine {
  headingRef: string;
  authority?: Heading;
  isAnchor?: boolean;
}

export const headingsAround = (place: ListPosition, asked: Omit<HeadingSearch, "words">) => {
  const question = browseParameters(place, "headingRef", { filters: filterConditions(asked) });
  return indexQuery(["browse", "authorities", question], () =>
    loadBrowsePage<BrowseLine>("/browse/authorities", question),
  );
};

interface FoundHeadings {
  authorities: Heading[];
  totalRecords: number;
}

export const searchHeadings = (asked: HeadingSearch, limit: number) =>
  ask<FoundHeadings>("/search/authorities", {
    query: { query: `${searchQuery(asked)} sortBy headingRef`, limit },
    mayBeBusy: true,
  });

/** The most headings in one answer of the server. */
export const MAX_HEADINGS = 500;

/** Number of linked titles of each authority. */
export async function countLinkedTitles(ids: readonly string[]): Promise<Map<string, number>> {
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
        query: { query: `${equals("authorityId", authorityId)} sortBy title`, limit, offset },
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

/** FOLIO's authority record; each kind of heading is a member of its own (`personalName`, `sftPersonalName`). */
export type Authority = {
  id: string;
  naturalId?: string;
  sourceFileId?: string;
  source?: string;
  notes?: { note: string }[];
  metadata?: { updatedDate?: string };
} & { [member: string]: unknown };

export const authorityById = (id: string) =>
  queryOptions({ queryKey: ["authority", id], queryFn: () => ask<Authority>(`/authority-storage/authorities/${id}`) });

export const removeAuthority = (id: string) => ask(`/authority-storage/authorities/${id}`, { method: "DELETE" });

export interface AuthorityChange {
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

const PAST_DAYS = 90;
const DAY_MS = 86_400_000;
const MAX_CHANGES = 100;

/** The changes of the last months, the newest first. */
export async function loadChanges(action: AuthorityChange["action"], now: number): Promise<AuthorityChange[]> {
  const { stats } = await ask<{ stats?: AuthorityChange[] }>("/links/stats/authority", {
    query: {
      fromDate: new Date(now - PAST_DAYS * DAY_MS).toISOString(),
      toDate: new Date(now + DAY_MS).toISOString(),
      action,
      limit: MAX_CHANGES,
    },
  });
  return stats ?? [];
}

/** Number of linked titles that the change has not reached yet. */
export const countRemaining = ({ lbTotal = 0, lbUpdated = 0, lbFailed = 0 }: AuthorityChange) =>
  Math.max(0, lbTotal - lbUpdated - lbFailed);

export const isRunning = (change: AuthorityChange) =>
  countRemaining(change) > 0 && change.metadata?.completedAt === undefined;
