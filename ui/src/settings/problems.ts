/** Refusals of the server by field. Those without a field are shown above the form. */

import { type Refusal, Refused } from "../api/http.ts";
import { valueAt } from "./draft.ts";
import type { Kind, SettingRecord, Spec } from "./kind.ts";
import type { SettingsWords } from "./words/en.ts";

export interface Problems {
  fields: ReadonlyMap<string, string>;
  rest: readonly string[];
}

export const NO_PROBLEMS: Problems = { fields: new Map(), rest: [] };

export function problemsOf(
  error: unknown,
  kind: Kind,
  specs: readonly Spec[],
  draft: SettingRecord,
  words: SettingsWords,
  /** Text for refusals that have none in the settings. */
  otherwise: (refusal: Refusal) => string = ({ message }) => message,
): Problems {
  if (!(error instanceof Refused) || error.status >= 500 || error.status === 403 || error.status === 401)
    return NO_PROBLEMS;
  const fields = new Map<string, string>();
  const rest: string[] = [];
  for (const refusal of error.refusals) {
    const { message, code, parameters = [] } = refusal;
    const mapped = kind.explainRefusal?.({ message, ...(code && { code }) }, words);
    const own = refusalText(message, words);
    const text = mapped?.text ?? (own === message ? otherwise(refusal) : own);
    const named = parameters.map(({ key }) => fieldOfKey(key, specs)).find((found) => found);
    const said = isTaken(message) ? (fieldWithValue(parameters, specs, draft) ?? named ?? kind.title) : named;
    const place = mapped?.at ?? said;
    if (place) fields.set(place, text);
    else rest.push(text);
  }
  return { fields, rest };
}

/** The field for a member that the server names: the same member, or one that contains it. */
function fieldOfKey(key: string, specs: readonly Spec[]): string | undefined {
  const named = key.replace(/\[\d+\].*$/, "");
  return specs.find(
    ({ at }) => at === named || at.endsWith(`.${named}`) || named.startsWith(`${at}.`) || named.endsWith(`.${at}`),
  )?.at;
}

/** The field with the value that the server says is taken. */
function fieldWithValue(
  parameters: Refusal["parameters"] = [],
  specs: readonly Spec[],
  draft: SettingRecord,
): string | undefined {
  const taken = parameters.map(({ value }) => value?.toLowerCase()).filter(Boolean);
  return specs.find((spec) => taken.includes(String(valueAt(draft, spec.at) ?? "").toLowerCase()))?.at;
}

const isTaken = (message: string) => /not unique|\bexists?\b|duplicate/i.test(message);

export function refusalText(message: string, words: SettingsWords): string {
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

/** The error with the desk's texts in place of the server's. */
export function withRefusalTexts(error: unknown, words: SettingsWords): unknown {
  if (!(error instanceof Refused)) return error;
  const refusals = error.refusals.map((refusal) => {
    const message = refusalText(refusal.message, words);
    return message === refusal.message ? refusal : { ...refusal, message, isWorded: true };
  });
  return new Refused(error.status, refusals, error.body);
}
