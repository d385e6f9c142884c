/** Merging two records of one person: the preview, the merge, and undoing it. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "../../api/http.ts";
import type { MergePreview, UserMerge, UserMerges } from "../../api/octavo.ts";

type MovedRecords = UserMerge["moved"][number];

export const mergePreview = (kept: string, duplicate: string) =>
  queryOptions({
    queryKey: ["patron-merge", kept, duplicate],
    gcTime: 0,
    queryFn: () => ask<MergePreview>(`/octavo/users/${kept}/merge-preview`, { query: { duplicateUserId: duplicate } }),
  });

export const merges = (kept: string) =>
  queryOptions({
    queryKey: ["patron-merge", kept],
    queryFn: async () => (await ask<UserMerges>(`/octavo/users/${kept}/merges`)).merges,
  });

export const mergePatrons = (kept: string, duplicate: string, takeBarcode: boolean) =>
  ask<UserMerge>(`/octavo/users/${kept}/merges`, {
    method: "POST",
    body: { duplicateUserId: duplicate, takeBarcode },
  });

export const undoMerge = (merge: UserMerge) =>
  ask<UserMerge>(`/octavo/user-merges/${merge.id}/undo`, { method: "POST", body: {} });

/** The kinds of moved records that are counted; a loan's history is not counted apart. */
export const MOVED_KINDS = [
  "loan",
  "request",
  "fee/fine account",
  "manual block",
  "note",
  "notice",
  "proxy relation",
] as const;
export type MovedKind = (typeof MOVED_KINDS)[number];

export function countMoved(moved: readonly MovedRecords[]): [kind: MovedKind, count: number][] {
  return MOVED_KINDS.flatMap((kind) => {
    const count = moved.reduce((sum, one) => sum + (one.records === kind ? one.count : 0), 0);
    return count > 0 ? [[kind, count] as [MovedKind, number]] : [];
  });
}
