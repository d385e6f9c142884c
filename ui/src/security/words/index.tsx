import { lazyWordsHook } from "../../words/apart.ts";
import type { SecurityWords } from "./en.ts";

export const useSecurityWords = lazyWordsHook<SecurityWords>({
  en: () => import("./en.ts").then((file) => file.en),
  de: () => import("./de.ts").then((file) => file.de),
  ar: () => import("./ar.ts").then((file) => file.ar),
});
