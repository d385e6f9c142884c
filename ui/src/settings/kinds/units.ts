/**
 * Parts that several kinds share: units of time in the spellings of FOLIO's modules, and the fields for name and
 * description.
 */

import type { Option, Section } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";

/** Options from ids and their texts. */
export const optionsFor = <Id extends string>(ids: readonly Id[], words: Record<Id, string>): Option[] =>
  ids.map((id) => ({ id, name: words[id] }));

export const periodOptions = (words: SettingsWords) =>
  optionsFor(["Minutes", "Hours", "Days", "Weeks", "Months"] as const, words.units);
export const longPeriodOptions = (words: SettingsWords) =>
  optionsFor(["Minutes", "Hours", "Days", "Weeks", "Months", "Years"] as const, words.units);
export const rateOptions = (words: SettingsWords) =>
  optionsFor(["minute", "hour", "day", "week", "month", "year"] as const, words.perUnit);

export const nameAndDescription = (words: SettingsWords, name = "name"): Section => ({
  fields: [
    { is: "text", at: name, label: words.name, required: true },
    { is: "text", at: "description", label: words.description, lines: 2 },
  ],
});

/** The unit before one is chosen: days if possible. */
export const defaultUnit = (units: readonly Option[]) =>
  (units.find(({ id }) => /^days?$/i.test(id)) ?? units[0])?.id ?? "";
