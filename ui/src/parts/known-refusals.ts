/** What the server refuses in its own words, for which the desk has better ones. */

import type { Refusal } from "../api/http.ts";
import type { Words } from "../words/en.ts";

const KNOWN: readonly [RegExp, keyof Words["refusals"]][] = [
  [/^Cannot check out to inactive user/, "inactive"],
  [/^Item is already checked out|^Cannot check out item that already has an open loan/, "alreadyOut"],
  [/^Item is not loanable/, "notLoanable"],
  [/^No item with barcode (.*) (?:could be found|exists)/, "noItem"],
  [/^Requested amount exceeds remaining amount/, "feePaidMeanwhile"],
  [/^Refund amount must be greater than zero and less/, "refundTooMuch"],
  [/^Fee\/fine is already closed/, "feeClosed"],
  [/^Nothing that was done to this loan can be undone/, "nothingToUndo"],
  [/was more than 24 hours ago and cannot be undone$/, "undoTooLate"],
  [/was done by the clock and cannot be undone$/, "undoneByClock"],
  [/^The fee\/fine(?: action)? \S+ (has changed since|is gone)/, "undoFeeChanged"],
  [/^The loan has been charged since/, "undoCharged"],
  [/^The (?:item|loan|request|check-in|actual cost record) \S+ (has changed since|is gone)/, "undoBuiltUpon"],
  [/^Failed to parse cql query/, "noCql"],
  [/^The index of \S+ is being made: (\d+ of \d+)/, "indexing"],
  [/^The queue is shorter now/, "undoBuiltUpon"],
];

/** Each reason once. */
export function refusalTexts(refusals: readonly Refusal[], words: Words): string[] {
  const text = ({ message }: Refusal) => {
    const known = KNOWN.find(([pattern]) => pattern.test(message));
    const says = known && words.refusals[known[1]];
    return typeof says === "function" ? says(known?.[0].exec(message)?.[1] ?? "") : (says ?? message);
  };
  const said = new Set(refusals.map(text).filter(Boolean));
  return said.size === 0 ? [words.errors.refused] : [...said];
}

/** Several reasons one after the other, each a sentence. */
export function inOneLine(said: readonly string[]): string {
  return said.map((reason) => (/[.!?:]$/.test(reason) || said.length === 1 ? reason : `${reason}.`)).join(" ");
}
