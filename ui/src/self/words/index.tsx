import { lazyWordsHook } from "../../words/apart.ts";
import type { SelfWords } from "./en.ts";

export const useSelfWords = lazyWordsHook<SelfWords>({
  en: () => import("./en.ts").then((file) => file.en),
  de: () => import("./de.ts").then((file) => file.de),
  ar: () => import("./ar.ts").then((file) => file.ar),
});
