/**
 * An override for the whole visit of a patron, given once with one reason. The desk remembers it: each check-out and
 * renewal is first tried without it, and sent again with the blocks that the server has named and the reason. So the
 * server decides each time, and refuses if the permission is missing.
 */

import { Refused } from "../../api/http.ts";
import { BLOCKS_WITH_DUE_DATE, type OverrideBlocks } from "../../loans/override.tsx";
import { overridableBlocks } from "../../loans/refusal-words.ts";
import { session } from "../../shell/session.ts";

export interface VisitOverride {
  blocks: string[];
  comment: string;
  /** For blocks whose override needs a due date. */
  dueDate?: string;
  /** The id of the staff member who overrides. Scans of somebody else are not overridden in their name. */
  userId: string;
}

/** The blocks that can be overridden, with the permission that each needs. */
export const BLOCK_PERMISSIONS: Record<string, string> = {
  patronBlock: "circulation.override-patron-block",
  itemLimitBlock: "circulation.override-item-limit-block",
  itemNotLoanableBlock: "circulation.override-item-not-loanable-block",
  renewalBlock: "circulation.override-renewal-block",
  renewalDueDateRequiredBlock: "circulation.override-renewal-block",
};

/**
 * The blocks to override in a second attempt: those that the refusal of the first one names, if all of them are
 * overridden for the visit.
 */
export function blocksToOverride(error: unknown, standing: VisitOverride | undefined): OverrideBlocks | undefined {
  const now = session.get();
  if (!(error instanceof Refused) || standing === undefined) return undefined;
  if (now.is !== "in" || now.member.user.id !== standing.userId) return undefined;
  const found = overridableBlocks(error.refusals);
  if (!found?.permitted || !found.blocks.every((block) => standing.blocks.includes(block))) return undefined;
  const due = standing.dueDate === undefined ? {} : { dueDate: standing.dueDate };
  const named = found.blocks.map((block) => [block, BLOCKS_WITH_DUE_DATE.includes(block) ? due : {}]);
  return { ...Object.fromEntries(named), comment: standing.comment };
}

/** Tries without the override, and again with it if the first attempt was refused for overridden blocks. */
export async function tryWithOverride<Answer>(
  standing: VisitOverride | undefined,
  attempt: (overrideBlocks?: OverrideBlocks) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await attempt();
  } catch (error) {
    const blocks = blocksToOverride(error, standing);
    if (blocks === undefined) throw error;
    return attempt(blocks);
  }
}
