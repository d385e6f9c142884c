/** Advice for staff on FOLIO's refusals. */

import type { Refusal } from "../api/http.ts";
import type { User } from "../api/records.ts";
import type { Words } from "../words/en.ts";

type Help = keyof Words["help"];

/** Advice by the code of a refusal; refusals without a code are recognised by their message. */
const HELP_BY_CODE: Record<string, Help> = {
  ITEM_NOT_LOANABLE: "notLoanable",
  ITEM_HAS_OPEN_LOAN: "alreadyOut",
  ITEM_LIMIT_PATRON_GROUP: "limit",
};

const HELP_BY_MESSAGE: readonly [RegExp, Help][] = [
  [/via (inactive )?proxy/, "proxy"],
  [/inactive user|expired user/, "inactiveOrExpired"],
  [/already checked out/, "alreadyOut"],
  [/requested by another patron/, "requested"],
  [/has the item status/, "status"],
  [/maximum limit/, "limit"],
  [/not loanable/, "notLoanable"],
  [/No item with barcode/, "unknownItem"],
];

/**
 * The advice for several refusals, each once. FOLIO's message is the same for inactive and for expired patrons, so the
 * patron's record decides.
 */
export function helpsFor(refusals: readonly Refusal[], borrower: User | undefined): Help[] {
  const helps = refusals.flatMap((refusal) => {
    const help = helpFor(refusal);
    return help === "inactiveOrExpired" && borrower ? helpsAgainstInactivity(borrower) : (help ?? []);
  });
  return [...new Set(helps)];
}

export function helpFor({ code = "", message, overridableBlock }: Refusal): Help | undefined {
  if (overridableBlock?.name === "patronBlock") return "blocked";
  return HELP_BY_CODE[code] ?? HELP_BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1];
}

function helpsAgainstInactivity({ active, expirationDate }: User): Help[] {
  const expired = expirationDate !== undefined && Date.parse(expirationDate) < Date.now();
  const helps: Help[] = [...(expired ? (["expired"] as const) : []), ...(active ? [] : (["inactive"] as const))];
  return helps.length > 0 ? helps : ["inactiveOrExpired"];
}

/** The blocks, if every refusal can be overridden, and whether this staff member has the permission. */
export function overridableBlocks(refusals: readonly Refusal[]): { blocks: string[]; permitted: boolean } | undefined {
  const blocks = refusals.flatMap(({ overridableBlock }) => overridableBlock ?? []);
  if (blocks.length < refusals.length || blocks.length === 0) return undefined;
  return {
    blocks: [...new Set(blocks.map(({ name }) => name))],
    permitted: blocks.every(({ missingPermissions = [] }) => missingPermissions.length === 0),
  };
}
