/** The languages of the desk. To add one: a line here, and the compiler says which words are missing. */

export const LANGUAGES = { en: "English", de: "Deutsch", ar: "العربية" } as const;
export type Language = keyof typeof LANGUAGES;

export const isLanguage = (id: string): id is Language => id in LANGUAGES;

const RIGHT_TO_LEFT: readonly Language[] = ["ar"];

export const directionOf = (language: Language) => (RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr");

/** Calendars and digits that a language has here wherever the library stands. */
const WRITTEN: Partial<Record<Language, string>> = {
  // Due dates are days of the Gregorian calendar, and amounts and barcodes are typed in these digits, in Arabic, too.
  ar: "u-ca-gregory-nu-latn",
};

/** The language as the library's region writes it; a region of another language says nothing about this one. */
export function writtenAs(language: Language, region?: string): string {
  const [own] = region?.split("-u-") ?? [];
  const base = own?.split("-")[0] === language ? own : language;
  return [base, WRITTEN[language]].filter(Boolean).join("-");
}
