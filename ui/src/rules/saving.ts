/** Saves the circulation rules, unless somebody else has changed them since they were read. */

import { ask } from "../api/http.ts";
import { list } from "../api/list.ts";
import type { CirculationRules } from "../api/octavo.ts";
import { ChangedMeanwhile } from "../parts/draft.ts";

/**
 * `base` is the text that the change was made from. The rules have no version that the server could compare, so they
 * are read again before they are written.
 */
export async function saveRules(base: string, rulesAsText: string): Promise<CirculationRules> {
  const newest = await list("/circulation/rules", {});
  if (newest.rulesAsText !== base) throw new ChangedMeanwhile([]);
  const saved = { ...newest, rulesAsText };
  await ask("/circulation/rules", { method: "PUT", body: { id: newest.id, rulesAsText } });
  return saved;
}
