import { lazyWordsHook } from "../../../words/apart.ts";
import type { TableWords } from "./en.ts";

export const useTableWords = lazyWordsHook<TableWords>({
  en: () => import("./en.ts").then((file) => file.en),
  de: () => import("./de.ts").then((file) => file.de),
  ar: () => import("./ar.ts").then((file) => file.ar),
});
