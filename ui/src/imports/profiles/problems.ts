/** Refusals of the server about a profile, by field. Those without a field are shown above the form. Pure. */

import { type Refusal, Refused } from "../../api/http.ts";
import type { ProfileWords } from "./words/en.ts";

/** Messages by field. */
export type Problems = Readonly<Record<string, string>>;

export interface PlacedProblems {
  fields: Problems;
  rest: readonly string[];
}

export function problemsOf(
  error: unknown,
  words: ProfileWords,
  otherwise: (refusal: Refusal) => string,
): PlacedProblems {
  if (!(error instanceof Refused) || error.status === 401 || error.status === 403 || error.status >= 500) {
    return { fields: {}, rest: [] };
  }
  if (error.status === 404) return { fields: {}, rest: [words.gone] };
  const fields: Record<string, string> = {};
  const rest: string[] = [];
  for (const refusal of error.refusals) {
    const { message, parameters = [] } = refusal;
    const known = KNOWN_REFUSALS.find(([pattern]) => pattern.test(message));
    const [, place, says] = known ?? [undefined, fieldPlace(parameters[0]?.key ?? ""), undefined];
    const text = says?.(words) ?? (place ? fieldProblem(message, words) : undefined) ?? otherwise(refusal);
    if (place) fields[place] = text;
    else rest.push(text);
  }
  return { fields, rest };
}

type KnownRefusal = readonly [pattern: RegExp, place: string | undefined, says: (words: ProfileWords) => string];

const KNOWN_REFUSALS: readonly KnownRefusal[] = [
  [/profile '.*' already exists/i, "name", ({ taken }) => taken],
  [/can`?'?t update default/i, undefined, ({ folioOwn }) => folioOwn],
  [/profile associated with other profiles/i, undefined, ({ stillUsed }) => stillUsed],
  [/requires linked MatchProfile/i, "tree", ({ tree }) => tree.needsMatch],
  [
    /FolioRecord and ExistingRecordType|ExistingRecordType and FolioRecord|recordType and linked/i,
    "mapping",
    ({ action }) => action.otherType,
  ],
];

const fieldProblem = (message: string, { needed }: ProfileWords) =>
  /must not be (null|blank|empty)|may not be null/i.test(message) ? needed : undefined;

/** `profile.mappingDetails.mappingFields[3].value` is the third field after the first. */
function fieldPlace(key: string): string | undefined {
  const path = key.replace(/^profile\./, "");
  return path === "" ? undefined : path.replace(/^matchDetails\[\d+\]\./, "");
}
