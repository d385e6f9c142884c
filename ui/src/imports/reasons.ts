/** Explains the most frequent import errors in the language of the desk. */

import type { ImportWords } from "./words/en.ts";

type ReasonPatterns = { [Name in keyof ImportWords["reasons"]]: RegExp };

/** Patterns of error messages; the group in brackets is used in the explanation. */
const PATTERNS: ReasonPatterns = {
  damaged:
    /^(?:it has \d+ bytes, fewer|its directory |it has neither a leader|(?:its leader says UTF-8, but )?field \S+ is n)/,
  partlyRead: /left out|stand as U\+FFFD/,
  barcodeTaken: /^Barcode must be unique, (.+?) is already assigned/,
  severalFound: /^Found multiple records/,
  noLocation: /'permanentLocationId' is empty/,
  already999: /already contained a 999ff\$s or 999ff\$i/,
  noMapping: /requires a mapping profile|has no a mapping profile/,
  changedMeanwhile: /optimistic locking/i,
  missingField: /^Field '([^']+)' is a required field/,
  badStatus: /^Invalid status specified '([^']*)'/,
  no004: /field 004 for marc holdings must be not null/i,
  no004Title: /^No instance id found for marc holdings with hrid: (.*)$/i,
};

/** undefined if there is no explanation: the message of the server is shown. */
export function explainError(error: string, words: ImportWords["reasons"]): string | undefined {
  for (const [name, pattern] of Object.entries(PATTERNS) as [keyof ReasonPatterns, RegExp][]) {
    const found = pattern.exec(error);
    if (found) return words[name](found[1] ?? "");
  }
  return undefined;
}
