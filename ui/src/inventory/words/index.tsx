import { wordsApart } from "../../words/apart.ts";
import type { InventoryWords } from "./en.ts";

export const useInventoryWords = wordsApart<InventoryWords>({
  en: () => import("./en.ts").then((file) => file.en),
  de: () => import("./de.ts").then((file) => file.de),
  ar: () => import("./ar.ts").then((file) => file.ar),
});
