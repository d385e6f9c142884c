import { lazyWordsHook } from "../../words/apart.ts";
import type { DrawerWords } from "./en.ts";

export const useDrawerWords = lazyWordsHook<DrawerWords>({
  en: () => import("./en.ts").then((file) => file.en),
  de: () => import("./de.ts").then((file) => file.de),
  ar: () => import("./ar.ts").then((file) => file.ar),
});
