/** What the server refuses about a record: at the field that it is about, where it names one. */

import { Refused } from "../../api/http.ts";
import type { Spec } from "./spec.ts";

export interface Problem {
  at: string;
  /** The server's words; nothing where the form has better ones: the barcode is another item's. */
  text?: string;
}

/** Nothing where the refusal is about no field of the form. */
export function problemOf(error: unknown, specs: readonly Spec[]): Problem | undefined {
  if (!(error instanceof Refused) || error.status < 400 || error.status >= 500 || error.status === 409)
    return undefined;
  for (const { message, parameters = [] } of error.refusals) {
    const barcode = specs.find(({ is }) => is === "barcode");
    if (barcode && /^Barcode must be unique/.test(message)) return { at: barcode.at };
    const named = parameters.map(({ key }) => specs.find(({ at }) => isOf(key, at))).find(Boolean);
    if (named) return { at: named.at, text: message };
  }
  return undefined;
}

/** The server names a member, or one of a line: `notes[0].note`. Ids of items' types stand in objects of the form. */
function isOf(key: string, at: string): boolean {
  const named = key.replace(/\[\d*\].*$/, "");
  return named === at || named === `${at}Id` || named === at.split(".")[0];
}
