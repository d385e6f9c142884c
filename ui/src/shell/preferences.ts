/** The preferences of this browser's user, kept in the browser, because they are about its screen and sound. */

import { deskSettings } from "../api/library.ts";
import { isLanguage, type Language } from "../words/languages.ts";
import { store } from "./store.ts";

export const THEMES = ["system", "light", "dark", "contrast"] as const;
export type Theme = (typeof THEMES)[number];

/** How much space the rows of lists have. */
export const DENSITIES = ["compact", "roomy"] as const;
export type Density = (typeof DENSITIES)[number];

interface Preferences {
  theme: Theme;
  density: Density;
  language: Language;
  /** Undefined if the user has not chosen: then the library's setting applies. */
  sounds?: boolean;
  /** Slips are printed automatically when an item is checked in. */
  printSlips: boolean;
}

const DEFAULT_PREFERENCES: Preferences = {
  theme: "system",
  density: "compact",
  language: navigator.languages.map((tag) => tag.split("-")[0] ?? "").find(isLanguage) ?? "en",
  printSlips: false,
};

export const preferences = store(DEFAULT_PREFERENCES, { name: "octavo.preferences", in: () => localStorage });
export const usePreferences = preferences.use;

/** Whether scans make sounds. */
export const areSoundsOn = (chosen: boolean | undefined) => chosen ?? deskSettings.get().sounds ?? true;

export function changePreferences(change: Partial<Preferences>): void {
  preferences.set((now) => ({ ...now, ...change }));
}

function applyPreferences(): void {
  const { theme, density } = preferences.get();
  Object.assign(document.documentElement.dataset, { theme, density });
}
preferences.subscribe(applyPreferences);
applyPreferences();
