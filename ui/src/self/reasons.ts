/** Explains a refusal to a patron: what they can do about it, or that staff can help. */

import { Refused } from "../api/http.ts";
import type { User } from "../api/records.ts";
import { helpsFor } from "../loans/refusal-words.ts";
import type { SelfWords } from "./words/en.ts";

export function refusalText(error: unknown, patron: User | undefined, words: SelfWords): string {
  if (!(error instanceof Refused)) return words.offline;
  const known = helpsFor(error.refusals, patron).find((help) => help in words.why);
  return words.why[(known ?? "other") as keyof SelfWords["why"]];
}
