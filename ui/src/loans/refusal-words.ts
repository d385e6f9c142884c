/** FOLIO's refusals, and what would help. */

import type { Refusal } from "../api/http.ts";
import type { Words } from "../words/en.ts";

type Help = keyof Words["help"];

/** By code where FOLIO gives one, else by what the message says. */
const CODES: Record<string, Help> = {
  ITEM_NOT_LOANABLE: "notLoanable",
  ITEM_HAS_OPEN_LOAN: "alreadyOut",
  ITEM_LIMIT_PATRON_GROUP: "limit",
};

const MESSAGES: readonly [RegExp, Help][] = [
  [/inactive user|expired user/, "inactive"],
  [/via proxy/, "proxy"],
  [/already checked out/, "alreadyOut"],
  [/requested by another patron/, "requested"],
  [/has the item status/, "status"],
  [/maximum limit/, "limit"],
  [/not loanable/, "notLoanable"],
  [/No item with barcode/, "unknownItem"],
];

export function helpFor({ code = "", message, overridableBlock }: Refusal): Help | undefined {
  if (overridableBlock?.name === "patronBlock") return "blocked";
  return CODES[code] ?? MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
}

export function refusalInWords(refusal: Refusal, words: Words): { text: string; help: string | undefined } {
  const help = helpFor(refusal);
  return { text: refusal.message, help: help && words.help[help] };
}

/** The blocks of which every one may be overridden, and whether this member may. */
export function overridable(refusals: readonly Refusal[]): { blocks: string[]; permitted: boolean } | undefined {
  const blocks = refusals.flatMap(({ overridableBlock }) => overridableBlock ?? []);
  if (blocks.length < refusals.length || blocks.length === 0) return undefined;
  return {
    blocks: [...new Set(blocks.map(({ name }) => name))],
    permitted: blocks.every(({ missingPermissions = [] }) => missingPermissions.length === 0),
  };
}
