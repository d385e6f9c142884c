import { lazyWordsHook } from "../../words/apart.ts";
import type { LinkedWords } from "./linked-en.ts";

export const useLinkedWords = lazyWordsHook<LinkedWords>({
  en: () => import("./linked-en.ts").then((file) => file.en),
  de: () => import("./linked-de.ts").then((file) => file.de),
  ar: () => import("./linked-ar.ts").then((file) => file.ar),
});
