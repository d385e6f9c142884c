/** What the server refused, at the fields that it is about. What belongs to none is said above the form. */

import { type Refusal, Refused } from "../api/http.ts";
import { at } from "./draft.ts";
import type { Kind, Spec, Stored } from "./kind.ts";
import type { SettingsWords } from "./words/en.ts";

export interface Problems {
  fields: ReadonlyMap<string, string>;
  rest: readonly string[];
}

export const NONE: Problems = { fields: new Map(), rest: [] };

export function problemsOf(
  error: unknown,
  kind: Kind,
  specs: readonly Spec[],
  draft: Stored,
  words: SettingsWords,
  /** For what the settings have no words of their own. */
  otherwise: (refusal: Refusal) => string = ({ message }) => message,
): Problems {
  if (!(error instanceof Refused) || error.status >= 500 || error.status === 403 || error.status === 401) return NONE;
  const fields = new Map<string, string>();
  const rest: string[] = [];
  for (const refusal of error.refusals) {
    const { message, code, parameters = [] } = refusal;
    const mapped = kind.mapped?.({ message, ...(code && { code }) }, words);
    const own = inWords(message, words);
    const text = mapped?.text ?? (own === message ? otherwise(refusal) : own);
    const named = parameters.map(({ key }) => fieldOf(key, specs)).find((found) => found);
    const said = isTaken(message) ? (saying(parameters, specs, draft) ?? named ?? kind.title) : named;
    const place = mapped?.at ?? said;
    if (place) fields.set(place, text);
    else rest.push(text);
  }
  return { fields, rest };
}

/** The server names a member, the form has a field for it, or for what it is a part of. */
function fieldOf(key: string, specs: readonly Spec[]): string | undefined {
  const named = key.replace(/\[\d+\].*$/, "");
  return specs.find(
    ({ at }) => at === named || at.endsWith(`.${named}`) || named.startsWith(`${at}.`) || named.endsWith(`.${at}`),
  )?.at;
}

/** What is taken is named by its value. */
function saying(parameters: Refusal["parameters"] = [], specs: readonly Spec[], draft: Stored): string | undefined {
  const taken = parameters.map(({ value }) => value?.toLowerCase()).filter(Boolean);
  return specs.find((spec) => taken.includes(String(at(draft, spec.at) ?? "").toLowerCase()))?.at;
}

const isTaken = (message: string) => /not unique|\bexists?\b|duplicate/i.test(message);

export function inWords(message: string, words: SettingsWords): string {
  const { problems } = words;
  if (isTaken(message)) return problems.taken;
  if (/in use|being used|still referenced/i.test(message))
    return problems.inUse(/from table "?(\w+)/.exec(message)?.[1]);
  const least = /greater than or equal to (\d+)/i.exec(message)?.[1];
  if (least) return problems.least(least);
  const most = /less than or equal to (\d+)/i.exec(message)?.[1];
  if (most) return problems.most(most);
  if (/must not be (null|blank|empty)|must match/i.test(message)) return problems.missing;
  return message;
}

/** A refusal of the whole, with its words instead of the server's. */
export function worded(error: unknown, words: SettingsWords): unknown {
  if (!(error instanceof Refused)) return error;
  const refusals = error.refusals.map((refusal) => {
    const message = inWords(refusal.message, words);
    return message === refusal.message ? refusal : { ...refusal, message, isWorded: true };
  });
  return new Refused(error.status, refusals, error.body);
}
