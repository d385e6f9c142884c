/** Units of time, as the modules of FOLIO spell them: each has its own way. */

import type { Option } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";

/** Options by id, with their words. */
export const named = <Id extends string>(ids: readonly Id[], words: Record<Id, string>): Option[] =>
  ids.map((id) => ({ id, name: words[id] }));

export const PERIODS = (words: SettingsWords) =>
  named(["Minutes", "Hours", "Days", "Weeks", "Months"] as const, words.units);
export const LONG_PERIODS = (words: SettingsWords) =>
  named(["Minutes", "Hours", "Days", "Weeks", "Months", "Years"] as const, words.units);
export const RATES = (words: SettingsWords) =>
  named(["minute", "hour", "day", "week", "month", "year"] as const, words.perUnit);

/** The unit of an amount for which none has been said. */
export const usualUnit = (units: readonly Option[]) =>
  (units.find(({ id }) => /^days?$/i.test(id)) ?? units[0])?.id ?? "";
