import { lazyWordsHook } from "../../words/apart.ts";
import type { ScanningWords } from "./en.ts";

/** Asked for by the page first: a row that waited for words would take the scan field away with it. */
export const useScanningWords = lazyWordsHook<ScanningWords>({
  en: () => import("./en.ts").then((file) => file.en),
  de: () => import("./de.ts").then((file) => file.de),
  ar: () => import("./ar.ts").then((file) => file.ar),
});
