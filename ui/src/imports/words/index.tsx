import { lazyWordsHook } from "../../words/apart.ts";
import type { ImportWords } from "./en.ts";

export const useImportWords = lazyWordsHook<ImportWords>({
  en: () => import("./en.ts").then((file) => file.en),
  de: () => import("./de.ts").then((file) => file.de),
  ar: () => import("./ar.ts").then((file) => file.ar),
});
