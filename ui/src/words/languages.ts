/** The languages of the desk. To add one: a line here, and the compiler says which words are missing. */

export const LANGUAGES = { en: "English", de: "Deutsch", ar: "العربية" } as const;
export type Language = keyof typeof LANGUAGES;

export const isLanguage = (id: string): id is Language => id in LANGUAGES;

const RIGHT_TO_LEFT: readonly Language[] = ["ar"];

export const directionOf = (language: Language) => (RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr");

/**
 * Calendar and digits of a language, as a Unicode extension of the locale; they do not depend on the library's region.
 */
const LOCALE_EXTENSIONS: Partial<Record<Language, string>> = {
  // Due dates are days of the Gregorian calendar, and amounts and barcodes are typed in these digits, in Arabic, too.
  ar: "u-ca-gregory-nu-latn",
};

/** The locale: the language with the library's region, if the region has the same language. */
export function localeTag(language: Language, region?: string): string {
  const [own] = region?.split("-u-") ?? [];
  const base = own?.split("-")[0] === language ? own : language;
  return [base, LOCALE_EXTENSIONS[language]].filter(Boolean).join("-");
}
