import { lazyWordsHook } from "../../words/apart.ts";
import type { RecordWords } from "./records-en.ts";

export const useRecordWords = lazyWordsHook<RecordWords>({
  en: () => import("./records-en.ts").then((file) => file.en),
  de: () => import("./records-de.ts").then((file) => file.de),
  ar: () => import("./records-ar.ts").then((file) => file.ar),
});

/** How a member is called; a member of a list's lines is asked for with the path of the list. */
export function labelOf({ fields }: RecordWords, at: string, list?: string): string {
  return (list && fields[`${list}.${at}`]) ?? fields[at] ?? at;
}
