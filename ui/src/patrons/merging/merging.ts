/** Two records of one person: what a merge would do, the merge, and its undoing. */

import { queryOptions } from "@tanstack/react-query";
import { ask } from "../../api/http.ts";
import type { MergePreview, UserMerge, UserMerges } from "../../api/octavo.ts";

type Moved = UserMerge["moved"][number];

export const preview = (kept: string, duplicate: string) =>
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

export const merge = (kept: string, duplicate: string, takeBarcode: boolean) =>
  ask<UserMerge>(`/octavo/users/${kept}/merges`, {
    method: "POST",
    body: { duplicateUserId: duplicate, takeBarcode },
  });

export const undo = (merge: UserMerge) =>
  ask<UserMerge>(`/octavo/user-merges/${merge.id}/undo`, { method: "POST", body: {} });

/** How a person at the desk would count them: loans as borrower and as proxy are loans, their history comes with them. */
export const KINDS = [
  "loan",
  "request",
  "fee/fine account",
  "manual block",
  "note",
  "notice",
  "proxy relation",
] as const;
export type Kind = (typeof KINDS)[number];

export function counted(moved: readonly Moved[]): [kind: Kind, count: number][] {
  return KINDS.flatMap((kind) => {
    const count = moved.reduce((sum, one) => sum + (one.records === kind ? one.count : 0), 0);
    return count > 0 ? [[kind, count] as [Kind, number]] : [];
  });
}
