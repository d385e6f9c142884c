/** What the settings have a page for, as far as one looks for it: where it is, who may see it, what it is called and asks. */

import { type Kind, rightsTo, type Stored } from "./kind.ts";
import { GROUPS } from "./kinds/index.ts";
import type { SettingsWords } from "./words/en.ts";

export interface Face {
  slug: string;
  needs: string;
  says: (words: SettingsWords) => { many: string; help: string };
  /** The labels of its form. */
  asks?: (words: SettingsWords) => string[];
}

export const faceOf = (kind: Kind): Face => ({
  slug: kind.slug,
  needs: rightsTo.see(kind),
  says: (words) => words.kinds[kind.name],
  asks: (words) => kind.sections(words, kind.blank as Stored).flatMap(({ fields }) => fields.map(({ label }) => label)),
});

export const CALENDARS: Face = {
  slug: "calendars",
  needs: "calendar.endpoint.calendars.get",
  says: (words) => words.calendar,
};

export const LEDGER: Face = {
  slug: "notices",
  needs: "notice-ledger.notices.collection.get",
  says: (words) => words.notices,
};

export const PICTURES: Face = {
  slug: "photos",
  needs: "users.configurations.item.get",
  says: (words) => words.pictures,
  asks: (words) => [words.pictures.enabled, words.pictures.most],
};

export const SIGN_ON: Face = {
  slug: "single-sign-on",
  needs: "octavo.sso.settings.get",
  says: (words) => words.signOn,
  asks: ({ signOn }) => [signOn.active, signOn.issuer, signOn.clientId, signOn.claim, signOn.buttonText],
};

export const DIRECTORY: Face = {
  slug: "ldap",
  needs: "octavo.ldap.settings.get",
  says: (words) => words.directory,
  asks: ({ directory }) => [
    directory.active,
    directory.url,
    directory.userDn,
    directory.searchFilter,
    directory.bindDn,
  ],
};

export const FACES: readonly Face[] = [
  ...Object.values<readonly Kind[]>(GROUPS).flat().map(faceOf),
  CALENDARS,
  LEDGER,
  PICTURES,
  SIGN_ON,
  DIRECTORY,
];

export interface Match extends Face {
  /** The label in its form that was looked for, where it is not its name. */
  label?: string | undefined;
}

/** Those that all words of the text begin a word of, by name, purpose or the labels of their forms; names come first. */
export function settingsLike(text: string, words: SettingsWords, faces: readonly Face[] = FACES): Match[] {
  const wanted = wordsIn(text);
  if (wanted.length === 0) return [];
  const found = faces.flatMap((face): [rank: number, match: Match][] => {
    const { many, help } = face.says(words);
    if (isLike(many, wanted)) return [[0, face]];
    const label = face.asks?.(words).find((one) => isLike(one, wanted));
    if (label !== undefined) return [[1, { ...face, label }]];
    return isLike(`${many} ${help}`, wanted) ? [[2, face]] : [];
  });
  return found.sort(([one], [other]) => one - other).map(([, match]) => match);
}

const wordsIn = (text: string) => text.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export function isLike(name: string, wanted: readonly string[]): boolean {
  const has = wordsIn(name);
  return wanted.every((word) => has.some((one) => one.startsWith(word)));
}
