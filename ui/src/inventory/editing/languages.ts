/** Languages of titles, stored as codes of three letters (ISO 639-2) and shown by name. */

/** The language's name in the language of the desk, or the code if it is unknown. */
export function languageName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Splits typed codes into a list; a blank at the end is kept, so that the next code can be typed. */
export const parseLanguageCodes = (text: string) => text.toLowerCase().split(" ");
