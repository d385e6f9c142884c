/** The preferences of this browser's user. They are kept in the browser, because they are about its screen and sound. */

import { atTheDesk } from "../api/library.ts";
import type { Language } from "../words/index.tsx";
import { store } from "./store.ts";

export const THEMES = ["system", "light", "dark", "contrast"] as const;
export type Theme = (typeof THEMES)[number];

interface Preferences {
  theme: Theme;
  language: Language;
  /** Undefined if the user has not chosen: then the setting of the library holds. */
  sounds?: boolean;
  /** Slips are printed as soon as an item is checked in. */
  printSlips: boolean;
}

const initial: Preferences = {
  theme: "system",
  language: navigator.language.startsWith("de") ? "de" : "en",
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
  document.documentElement.dataset.theme = preferences.get().theme;
}
preferences.follow(paint);
paint();
