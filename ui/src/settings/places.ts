/** The pages of the settings, for the overview and the search: address, permission, texts, and labels of the form. */

import { type Kind, rightsTo, type SettingRecord } from "./kind.ts";
import { GROUPS } from "./kinds/index.ts";
import type { SettingsWords } from "./words/en.ts";

export interface SettingsEntry {
  slug: string;
  needs: string;
  texts: (words: SettingsWords) => { many: string; help: string };
  /** The labels of its form. */
  formLabels?: (words: SettingsWords) => string[];
}

export const entryOfKind = (kind: Kind): SettingsEntry => ({
  slug: kind.slug,
  needs: rightsTo.see(kind),
  texts: (words) => words.kinds[kind.name],
  formLabels: (words) =>
    kind.sections(words, kind.blank as SettingRecord).flatMap(({ fields }) => fields.map(({ label }) => label)),
});

export const CALENDARS: SettingsEntry = {
  slug: "calendars",
  needs: "calendar.endpoint.calendars.get",
  texts: (words) => words.calendar,
};

export const LEDGER: SettingsEntry = {
  slug: "notices",
  needs: "notice-ledger.notices.collection.get",
  texts: (words) => words.notices,
};

export const PICTURES: SettingsEntry = {
  slug: "photos",
  needs: "users.configurations.item.get",
  texts: (words) => words.pictures,
  formLabels: (words) => [words.pictures.enabled, words.pictures.most],
};

export const SIGN_ON: SettingsEntry = {
  slug: "single-sign-on",
  needs: "octavo.sso.settings.get",
  texts: (words) => words.signOn,
  formLabels: ({ signOn }) => [signOn.active, signOn.issuer, signOn.clientId, signOn.claim, signOn.buttonText],
};

export const DIRECTORY: SettingsEntry = {
  slug: "ldap",
  needs: "octavo.ldap.settings.get",
  texts: (words) => words.directory,
  formLabels: ({ directory }) => [
    directory.active,
    directory.url,
    directory.userDn,
    directory.searchFilter,
    directory.bindDn,
  ],
};

export const SETTINGS_ENTRIES: readonly SettingsEntry[] = [
  ...Object.values<readonly Kind[]>(GROUPS).flat().map(entryOfKind),
  CALENDARS,
  LEDGER,
  PICTURES,
  SIGN_ON,
  DIRECTORY,
];

export interface FoundSetting extends SettingsEntry {
  /** The label in its form that was found, if the name itself does not match. */
  label?: string | undefined;
}

/** Settings in whose name, purpose or labels each word of the text begins a word; matches in names come first. */
export function findSettings(
  text: string,
  words: SettingsWords,
  faces: readonly SettingsEntry[] = SETTINGS_ENTRIES,
): FoundSetting[] {
  const wanted = wordsIn(text);
  if (wanted.length === 0) return [];
  const found = faces.flatMap((face): [rank: number, match: FoundSetting][] => {
    const { many, help } = face.texts(words);
    if (matchesWords(many, wanted)) return [[0, face]];
    const label = face.formLabels?.(words).find((one) => matchesWords(one, wanted));
    if (label !== undefined) return [[1, { ...face, label }]];
    return matchesWords(`${many} ${help}`, wanted) ? [[2, face]] : [];
  });
  return found.sort(([one], [other]) => one - other).map(([, match]) => match);
}

const wordsIn = (text: string) => text.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export function matchesWords(name: string, wanted: readonly string[]): boolean {
  const has = wordsIn(name);
  return wanted.every((word) => has.some((one) => one.startsWith(word)));
}
