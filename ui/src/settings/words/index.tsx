/** The words of the settings, fetched with their pages: the desk is lighter without them. */

import { use } from "react";
import { usePreferences } from "../../shell/preferences.ts";
import type { Language } from "../../words/index.tsx";
import type { SettingsWords } from "./en.ts";

const load: Record<Language, () => Promise<SettingsWords>> = {
  en: () => import("./en.ts").then((file) => file.en),
  de: () => import("./de.ts").then((file) => file.de),
};

const loaded = new Map<Language, Promise<SettingsWords>>();

/** Suspends until they are there. */
export function useSettingsWords(): SettingsWords {
  const { language } = usePreferences();
  const words = loaded.get(language) ?? load[language]();
  loaded.set(language, words);
  return use(words);
}
