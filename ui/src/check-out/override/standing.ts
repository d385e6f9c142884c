/**
 * What a member of the staff overrides for all of a patron's visit, said once with one reason. It is the desk that remembers it: each
 * check-out and renewal is tried without it first, and goes out again with the blocks that the server has named and with the reason. So
 * the server decides each time, and refuses where the permission is missing.
 */

import { Refused } from "../../api/http.ts";
import { NEED_DATE, type OverrideBlocks } from "../../loans/override.tsx";
import { overridable } from "../../loans/refusal-words.ts";
import { session } from "../../shell/session.ts";

export interface Standing {
  blocks: string[];
  comment: string;
  /** For blocks that take a due date with them. */
  dueDate?: string;
  /** Who has said so. What somebody else scans later is not overridden in their name. */
  userId: string;
}

/** What can be overridden, and the permission that it needs. */
export const BLOCKS: Record<string, string> = {
  patronBlock: "circulation.override-patron-block",
  itemLimitBlock: "circulation.override-item-limit-block",
  itemNotLoanableBlock: "circulation.override-item-not-loanable-block",
  renewalBlock: "circulation.override-renewal-block",
  renewalDueDateRequiredBlock: "circulation.override-renewal-block",
};

/** The blocks to send with a second attempt: those that were named in the refusal of the first, if all of them are overridden. */
export function against(error: unknown, standing: Standing | undefined): OverrideBlocks | undefined {
  const now = session.get();
  if (!(error instanceof Refused) || standing === undefined) return undefined;
  if (now.is !== "in" || now.member.user.id !== standing.userId) return undefined;
  const found = overridable(error.refusals);
  if (!found?.permitted || !found.blocks.every((block) => standing.blocks.includes(block))) return undefined;
  const due = standing.dueDate === undefined ? {} : { dueDate: standing.dueDate };
  const named = found.blocks.map((block) => [block, NEED_DATE.includes(block) ? due : {}]);
  return { ...Object.fromEntries(named), comment: standing.comment };
}

/** The first attempt, and a second with what is overridden if the first was refused for that. */
export async function insist<Answer>(
  standing: Standing | undefined,
  attempt: (overrideBlocks?: OverrideBlocks) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await attempt();
  } catch (error) {
    const blocks = against(error, standing);
    if (blocks === undefined) throw error;
    return attempt(blocks);
  }
}
