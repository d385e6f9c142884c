/** The language of the desk, and dates and money as the library writes them. */

import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { libraryLocale } from "../api/library.ts";
import { loadPatiently } from "../parts/later.ts";
import type { RefusalWords } from "../refusals/texts.ts";
import { usePreferences } from "../shell/preferences.ts";
import { en, type Words } from "./en.ts";
import { directionOf, type Language, localeTag } from "./languages.ts";

/**
 * Each language is loaded when it is chosen, except English, with which the desk starts. Texts of refusals are loaded
 * after that.
 */
const loadWords: Record<Language, () => Promise<Words>> = {
  en: () => withRefusals(en, import("../refusals/words/en.ts"), "en"),
  de: async () => withRefusals((await import("./de.ts")).de, import("../refusals/words/de.ts"), "de"),
  ar: async () => withRefusals((await import("./ar.ts")).ar, import("../refusals/words/ar.ts"), "ar"),
};

async function withRefusals<L extends Language>(
  words: Words,
  file: Promise<Record<L, RefusalWords>>,
  language: L,
): Promise<Words> {
  // Without a connection, the texts are used without those of refusals.
  const refusals = await file.then((loaded) => loaded[language]).catch(() => undefined);
  return { ...words, refusals };
}

export interface Formats {
  /** A due date: the day, and the time unless it is the end of the day. */
  due: (instant: string) => string;
  day: (instant: string) => string;
  time: (instant: string) => string;
  moment: (instant: string) => string;
  /** A day without a time zone, such as a date of birth, given as 2026-11-22. */
  date: (isoDay: string) => string;
  /** The library's day of an instant, as fields of forms take it: 2026-11-22. */
  isoDay: (instant: string) => string;
  money: (amount: number) => string;
  /** An amount without its currency, as fields of forms take it. */
  decimal: (amount: number) => string;
  number: (count: number) => string;
  /** A change, with its sign. */
  percent: (share: number) => string;
  /** "3 weeks", as the server says it, in this language. */
  period: (period: string) => string;
  timeZone: string;
  /** An arrow in the direction of reading. */
  arrow: "→" | "←";
  /** The language as the library's region writes it. */
  locale: string;
}

const WordsContext = createContext<Words>(en);
const FormatsContext = createContext<Formats | undefined>(undefined);

export function LanguageProvider({ children }: { children: ReactNode }) {
  const { language } = usePreferences();
  const [words, setWords] = useState<Words>(en);
  useEffect(() => {
    let wanted = true;
    void loadPatiently(loadWords[language]).then((loaded) => {
      if (!wanted) return;
      // The direction changes together with the words.
      Object.assign(document.documentElement, { lang: language, dir: directionOf(language) });
      setWords(loaded);
    });
    return () => {
      wanted = false;
    };
  }, [language]);
  const locale = useQuery(libraryLocale).data;
  const formats = useMemo(() => createFormats(language, locale), [language, locale]);
  return (
    <I18nProvider locale={formats.locale}>
      <WordsContext value={words}>
        <FormatsContext value={formats}>{children}</FormatsContext>
      </WordsContext>
    </I18nProvider>
  );
}

export const useWords = () => useContext(WordsContext);

export function useFormats(): Formats {
  const formats = useContext(FormatsContext);
  if (formats === undefined) throw new Error("formats are used outside of <LanguageProvider>");
  return formats;
}

interface LocaleSettings {
  locale?: string;
  timezone?: string;
  currency?: string;
}

function createFormats(
  language: Language,
  { locale, timezone: timeZone = "UTC", currency = "USD" }: LocaleSettings = {},
) {
  const written = localeTag(language, locale);
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(written, { timeZone, ...options });
    return (instant: string) => formatter.format(new Date(instant));
  };
  const day = format({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
  const time = format({ hour: "numeric", minute: "2-digit" });
  const hour = format({ hour: "2-digit", minute: "2-digit", hour12: false });
  const moment = (instant: string) => `${day(instant)}, ${time(instant)}`;
  const date = new Intl.DateTimeFormat(written, { timeZone: "UTC", dateStyle: "medium" });
  const money = new Intl.NumberFormat(written, { style: "currency", currency });
  // Swedish writes dates as 2026-11-22, which is the format of date fields.
  const isoDay = new Intl.DateTimeFormat("sv", { timeZone });
  const percent = new Intl.NumberFormat(written, { style: "percent", signDisplay: "exceptZero" });
  const number = new Intl.NumberFormat(written);
  const decimal = new Intl.NumberFormat(written, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    useGrouping: false,
  });
  return {
    // What is due at the end of a day is due on that day.
    due: (instant: string) => (hour(instant) === "23:59" ? day(instant) : moment(instant)),
    day,
    time,
    moment,
    date: (isoDay: string) => date.format(new Date(`${isoDay.slice(0, 10)}T00:00:00Z`)),
    isoDay: (instant: string) => isoDay.format(new Date(instant)),
    money: (amount: number) => money.format(amount),
    decimal: (amount: number) => decimal.format(amount),
    number: (count: number) => number.format(count),
    percent: (share: number) => percent.format(share),
    period: (period: string) => {
      const [, count, unit] = /^(\d+) (minute|hour|day|week|month|year)s?$/.exec(period) ?? [];
      if (count === undefined || unit === undefined) return period;
      return new Intl.NumberFormat(written, { style: "unit", unit, unitDisplay: "long" }).format(Number(count));
    },
    timeZone,
    arrow: directionOf(language) === "rtl" ? ("←" as const) : ("→" as const),
    locale: written,
  };
}
