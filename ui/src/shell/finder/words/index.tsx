import { lazyWordsHook } from "../../../words/apart.ts";
import type { FinderWords } from "./en.ts";

export const useFinderWords = lazyWordsHook<FinderWords>({
  en: () => import("./en.ts").then((file) => file.en),
  de: () => import("./de.ts").then((file) => file.de),
  ar: () => import("./ar.ts").then((file) => file.ar),
});
