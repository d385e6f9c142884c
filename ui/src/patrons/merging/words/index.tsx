import { lazyWordsHook } from "../../../words/apart.ts";
import type { MergeWords } from "./en.ts";

export const useMergeWords = lazyWordsHook<MergeWords>({
  en: () => import("./en.ts").then((file) => file.en),
  de: () => import("./de.ts").then((file) => file.de),
  ar: () => import("./ar.ts").then((file) => file.ar),
});
