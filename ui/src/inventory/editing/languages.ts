/** Languages of titles, kept as codes of three letters (ISO 639-2) and shown by their names. */

/** The name in the language of the desk, or the code where it is none. */
export function languageName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** What was typed, as a list: a blank at the end stays, so that one can go on typing. */
export const codesIn = (text: string) => text.toLowerCase().split(" ");
