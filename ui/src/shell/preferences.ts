/** The preferences of this browser's user. They are kept in the browser, because they are about its screen and sound. */

import { atTheDesk } from "../api/library.ts";
import { isLanguage, type Language } from "../words/languages.ts";
import { store } from "./store.ts";

export const THEMES = ["system", "light", "dark", "contrast"] as const;
export type Theme = (typeof THEMES)[number];

/** How much of a list stands on a screen. */
export const DENSITIES = ["compact", "roomy"] as const;
export type Density = (typeof DENSITIES)[number];

interface Preferences {
  theme: Theme;
  density: Density;
  language: Language;
  /** Undefined if the user has not chosen: then the setting of the library holds. */
  sounds?: boolean;
  /** Slips are printed as soon as an item is checked in. */
  printSlips: boolean;
}

const initial: Preferences = {
  theme: "system",
  density: "compact",
  language: navigator.languages.map((tag) => tag.split("-")[0] ?? "").find(isLanguage) ?? "en",
  printSlips: false,
};

export const preferences = store(initial, { name: "octavo.preferences", in: () => localStorage });
export const usePreferences = preferences.use;

/** Whether scans are heard. */
export const heard = (chosen: boolean | undefined) => chosen ?? atTheDesk.get().sounds ?? true;

export function prefer(change: Partial<Preferences>): void {
  preferences.set((now) => ({ ...now, ...change }));
}

function paint(): void {
  const { theme, density } = preferences.get();
  Object.assign(document.documentElement.dataset, { theme, density });
}
preferences.follow(paint);
paint();
