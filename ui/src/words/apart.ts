/** Texts of pages that few users open are loaded with these pages, which keeps the start of the desk small. */

import { use } from "react";
import { loadPatiently } from "../parts/later.ts";
import { usePreferences } from "../shell/preferences.ts";
import type { Language } from "./languages.ts";

/** Makes a hook for such texts in the user's language; it suspends until they are loaded. */
export function lazyWordsHook<Words>(load: Record<Language, () => Promise<Words>>): () => Words {
  const loaded = new Map<Language, Promise<Words>>();
  return () => {
    const { language } = usePreferences();
    const words = loaded.get(language) ?? loadPatiently(load[language]);
    loaded.set(language, words);
    return use(words);
  };
}
