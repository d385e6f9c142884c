/** The language of the desk, and dates and money as the library writes them. */

import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { libraryLocale } from "../api/library.ts";
import { usePreferences } from "../shell/preferences.ts";
import { en, type Words } from "./en.ts";

/** Each language beside English is fetched when somebody wants it. To add one: a file of the shape of `en.ts`, and a line here. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

const load: Record<Exclude<Language, "en">, () => Promise<Words>> = {
  de: () => import("./de.ts").then((file) => file.de),
};

export interface Formats {
  /** A day, in words; with the hour where it matters. */
  due: (instant: string) => string;
  day: (instant: string) => string;
  time: (instant: string) => string;
  moment: (instant: string) => string;
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
  /** The language as the library's region writes it. */
  locale: string;
}

const WordsContext = createContext<Words>(en);
const FormatsContext = createContext<Formats | undefined>(undefined);

export function Speaking({ children }: { children: ReactNode }) {
  const { language } = usePreferences();
  const [words, setWords] = useState<Words>(en);
  useEffect(() => {
    let wanted = true;
    document.documentElement.lang = language;
    if (language === "en") setWords(en);
    else void load[language]().then((loaded) => wanted && setWords(loaded));
    return () => {
      wanted = false;
    };
  }, [language]);
  const locale = useQuery(libraryLocale).data;
  const formats = useMemo(() => formatsOf(language, locale), [language, locale]);
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
  if (formats === undefined) throw new Error("formats are used outside of <Speaking>");
  return formats;
}

interface Locale {
  locale?: string;
  timezone?: string;
  currency?: string;
}

function formatsOf(language: Language, { locale, timezone: timeZone = "UTC", currency = "USD" }: Locale = {}) {
  // The library's own region decides how its language writes dates; another language brings its usual one.
  const region = locale?.split("-u-")[0];
  const written = region?.startsWith(language) ? region : language;
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(written, { timeZone, ...options });
    return (instant: string) => formatter.format(new Date(instant));
  };
  const day = format({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
  const time = format({ hour: "numeric", minute: "2-digit" });
  const hour = format({ hour: "2-digit", minute: "2-digit", hour12: false });
  const moment = (instant: string) => `${day(instant)}, ${time(instant)}`;
  const money = new Intl.NumberFormat(written, { style: "currency", currency });
  // Sweden writes days as forms do.
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
    locale: written,
  };
}
