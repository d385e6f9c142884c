import { lazyWordsHook } from "../../words/apart.ts";
import type { PartnerWords } from "./en.ts";

export const usePartnerWords = lazyWordsHook<PartnerWords>({
  en: () => import("./en.ts").then((file) => file.en),
  de: () => import("./de.ts").then((file) => file.de),
  ar: () => import("./ar.ts").then((file) => file.ar),
});
