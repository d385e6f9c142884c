/** Translates the server's refusals of a patron's record, and shows them at their fields. */

import { Refused } from "../../api/http.ts";
import type { PatronWords } from "../words/en.ts";
import type { Draft } from "./draft.ts";

type Field = keyof Draft;
type Reason = keyof PatronWords["refused"];

const REFUSAL_PATTERNS: readonly [RegExp, Field, Reason][] = [
  [/username already exists/i, "username", "taken"],
  [/barcode has already been taken/i, "barcode", "taken"],
  [/externalSystemId/, "externalSystemId", "taken"],
  [/one address per addresstype/i, "personal.addresses", "addressTwice"],
  [/address(es)? types?\b.*exist/i, "personal.addresses", "addressType"],
  [/Patron group not found/i, "patronGroup", "group"],
  [/dateOfBirth/, "personal.dateOfBirth", "birthDate"],
];

export interface Problem {
  field: Field;
  reason: Reason;
}

/** Undefined if the refusal concerns no field, or is not known. */
export function findProblem(error: unknown): Problem | undefined {
  if (!(error instanceof Refused) || error.status < 400 || error.status >= 500) return undefined;
  const said = error.refusals.map(({ message, parameters = [] }) =>
    [...parameters.map(({ key }) => key), message].join(" "),
  );
  const known = REFUSAL_PATTERNS.find(([pattern]) => said.some((text) => pattern.test(text)));
  return known && { field: known[1], reason: known[2] };
}
