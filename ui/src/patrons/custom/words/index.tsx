import { lazyWordsHook } from "../../../words/apart.ts";
import type { CustomWords } from "./en.ts";

export const useCustomWords = lazyWordsHook<CustomWords>({
  en: () => import("./en.ts").then((file) => file.en),
  de: () => import("./de.ts").then((file) => file.de),
  ar: () => import("./ar.ts").then((file) => file.ar),
});
