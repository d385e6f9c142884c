/** Shows a refusal of the server at the field that it concerns. */

import { Refused } from "../../api/http.ts";
import type { FieldSpec } from "./spec.ts";

export interface Problem {
  at: string;
  /** The message of the server; missing if the form has its own: another item has the barcode. */
  text?: string;
}

/** Undefined if the refusal concerns no field of the form. */
export function findProblem(error: unknown, specs: readonly FieldSpec[]): Problem | undefined {
  if (!(error instanceof Refused) || error.status < 400 || error.status >= 500 || error.status === 409)
    return undefined;
  for (const { message, parameters = [] } of error.refusals) {
    const barcode = specs.find(({ is }) => is === "barcode");
    if (barcode && /^Barcode must be unique/.test(message)) return { at: barcode.at };
    const named = parameters.map(({ key }) => specs.find(({ at }) => isNameOfField(key, at))).find(Boolean);
    if (named) return { at: named.at, text: message };
  }
  return undefined;
}

/**
 * The server names a member, or a member of a line, such as `notes[0].note`. Of item types it names the id, where the
 * form has an object.
 */
function isNameOfField(key: string, at: string): boolean {
  const named = key.replace(/\[\d*\].*$/, "");
  return named === at || named === `${at}Id` || named === at.split(".")[0];
}
