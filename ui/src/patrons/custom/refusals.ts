/** Translates the server's refusals of custom field values, and shows them at their fields. */

import { Refused } from "../../api/http.ts";
import type { CustomWords } from "./words/en.ts";

const REFUSAL_PATTERNS: readonly [RegExp, Exclude<keyof CustomWords["refused"], "short">][] = [
  [/^Invalid Email format/, "email"],
  [/^Invalid URL/, "url"],
  [/^Invalid Number format/, "number"],
  [/^Invalid date format/, "date"],
  [/can only have following values/, "option"],
];

const TOO_LONG = /^Maximum length of the value is (\d+)/;
const VALUE_PATTERNS = [
  TOO_LONG,
  /^Field with type/,
  /^Invalid Text format/,
  ...REFUSAL_PATTERNS.map(([pattern]) => pattern),
];

/** The refusals that concern values of custom fields. */
const valueRefusals = (error: unknown) =>
  error instanceof Refused && error.status === 422
    ? error.refusals.filter(({ message }) => VALUE_PATTERNS.some((pattern) => pattern.test(message)))
    : [];

/** Whether an error is shown at custom fields. */
export const hasValueRefusals = (error: unknown) => valueRefusals(error).length > 0;

/** The error messages by the `refId` of the field. */
export function valueErrors(error: unknown, { refused }: CustomWords): ReadonlyMap<string, string> {
  return new Map(
    valueRefusals(error).map(({ message, parameters = [] }) => {
      const most = TOO_LONG.exec(message)?.[1];
      const known = REFUSAL_PATTERNS.find(([pattern]) => pattern.test(message))?.[1] ?? "other";
      return [parameters[0]?.key ?? "", most === undefined ? refused[known] : refused.short(most)] as const;
    }),
  );
}
