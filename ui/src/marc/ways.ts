/** Paths of the pages of MARC records, and of the records that they describe. */

import { ask } from "../api/http.ts";
import type { Format } from "./record.ts";

const ADDRESS_KINDS: Record<Format, string> = { BIBLIOGRAPHIC: "bib", HOLDINGS: "holdings", AUTHORITY: "authority" };

export const editorPath = (format: Format, id: string) => `/marc/${ADDRESS_KINDS[format]}/${id}`;
export const marcViewPath = (format: Format, id: string) => `${editorPath(format, id)}/view`;

/** The page of what a MARC record describes; for holdings, that of their title. */
export async function describedPath(format: Format, id: string): Promise<string> {
  if (format === "AUTHORITY") return `/authorities/${id}`;
  if (format === "BIBLIOGRAPHIC") return `/inventory/${id}`;
  const { instanceId } = await ask<{ instanceId: string }>(`/holdings-storage/holdings/${id}`);
  return `/inventory/${instanceId}`;
}
