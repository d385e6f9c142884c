/** What the server refuses of values of custom fields, in words and at the field. */

import { Refused } from "../../api/http.ts";
import type { CustomWords } from "./words/en.ts";

const KNOWN: readonly [RegExp, Exclude<keyof CustomWords["refused"], "short">][] = [
  [/^Invalid Email format/, "email"],
  [/^Invalid URL/, "url"],
  [/^Invalid Number format/, "number"],
  [/^Invalid date format/, "date"],
  [/can only have following values/, "option"],
];

const TOO_LONG = /^Maximum length of the value is (\d+)/;
const OF_VALUES = [TOO_LONG, /^Field with type/, /^Invalid Text format/, ...KNOWN.map(([pattern]) => pattern)];

/** The refusals that are about values of custom fields. */
const ofValues = (error: unknown) =>
  error instanceof Refused && error.status === 422
    ? error.refusals.filter(({ message }) => OF_VALUES.some((pattern) => pattern.test(message)))
    : [];

/** Whether what was refused is said at custom fields. */
export const isOfValues = (error: unknown) => ofValues(error).length > 0;

/** By the field's `refId`. */
export function refusedValues(error: unknown, { refused }: CustomWords): ReadonlyMap<string, string> {
  return new Map(
    ofValues(error).map(({ message, parameters = [] }) => {
      const most = TOO_LONG.exec(message)?.[1];
      const known = KNOWN.find(([pattern]) => pattern.test(message))?.[1] ?? "other";
      return [parameters[0]?.key ?? "", most === undefined ? refused[known] : refused.short(most)] as const;
    }),
  );
}
