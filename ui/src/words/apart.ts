/** Words of pages that few go to, fetched with them: the desk is lighter without. */

import { use } from "react";
import { usePreferences } from "../shell/preferences.ts";
import type { Language } from "./languages.ts";

/** The hook that gives such words; it suspends until they are there. */
export function wordsApart<Words>(load: Record<Language, () => Promise<Words>>): () => Words {
  const loaded = new Map<Language, Promise<Words>>();
  return () => {
    const { language } = usePreferences();
    const words = loaded.get(language) ?? load[language]();
    loaded.set(language, words);
    return use(words);
  };
}
