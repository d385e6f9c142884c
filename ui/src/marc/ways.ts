/** Where the pages of MARC records are, and where what they describe is shown. */

import { ask } from "../api/http.ts";
import type { Format } from "./record.ts";

const KINDS: Record<Format, string> = { BIBLIOGRAPHIC: "bib", HOLDINGS: "holdings", AUTHORITY: "authority" };

export const editorOf = (format: Format, id: string) => `/marc/${KINDS[format]}/${id}`;
export const plainOf = (format: Format, id: string) => `${editorOf(format, id)}/view`;

/** Holdings are shown with their title. */
export async function shownAt(format: Format, id: string): Promise<string> {
  if (format === "AUTHORITY") return `/authorities/${id}`;
  if (format === "BIBLIOGRAPHIC") return `/inventory/${id}`;
  const { instanceId } = await ask<{ instanceId: string }>(`/holdings-storage/holdings/${id}`);
  return `/inventory/${instanceId}`;
}
