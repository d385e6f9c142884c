/** What several kinds have alike: units of time, which each module of FOLIO spells its own way, and the fields that come first. */

import type { Option, Section } from "../kind.ts";
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

export const nameAndDescription = (words: SettingsWords, name = "name"): Section => ({
  fields: [
    { is: "text", at: name, label: words.name, required: true },
    { is: "text", at: "description", label: words.description, lines: 2 },
  ],
});

/** The unit of an amount for which none has been said. */
export const usualUnit = (units: readonly Option[]) =>
  (units.find(({ id }) => /^days?$/i.test(id)) ?? units[0])?.id ?? "";
