/** Formats days and hours of calendars, which are local to the library and have no time zone. */

import type { CalendarDate } from "@internationalized/date";
import { useMemo } from "react";
import { useLocale } from "react-aria-components/I18nProvider";
import type { CalendarDay, Hours } from "./record.ts";
import { WEEKDAYS, type Weekday } from "./record.ts";

/** Monday, 5 January 1970: days of the week are named by the first of them. */
const MONDAY = Date.UTC(1970, 0, 5);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export function useTimes() {
  const { locale } = useLocale();
  return useMemo(() => {
    const format = (options: Intl.DateTimeFormatOptions) => {
      const formatter = new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options });
      return (instant: number) => formatter.format(instant);
    };
    const utc = (date: CalendarDate) => Date.UTC(date.year, date.month - 1, date.day);
    const full = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
    const day = format({ weekday: "short", day: "numeric", month: "short", year: "numeric" });
    const month = format({ month: "long", year: "numeric" });
    const minutes = format({ hour: "numeric", minute: "2-digit" });
    const whole = format({ hour: "numeric" });
    // "9 AM" is shorter than "9:00 AM" and as clear; where the day has 24 hours the minutes show that it is a time.
    const short = new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hour12 === true;
    const time = (instant: number) => (short && instant % HOUR_MS === 0 ? whole : minutes)(instant);
    const weekday = { long: format({ weekday: "long" }), short: format({ weekday: "short" }) };
    const named = (name: Weekday) => MONDAY + WEEKDAYS.indexOf(name) * DAY_MS;
    const timed = (text: string) => time(Date.parse(`1970-01-01T${text.slice(0, 5)}:00Z`));
    return {
      locale,
      full: (date: CalendarDate) => full(utc(date)),
      day: (text: string) => (text ? day(Date.parse(`${text}T00:00:00Z`)) : ""),
      month: (date: CalendarDate) => month(utc(date)),
      weekday: (name: Weekday) => weekday.long(named(name)),
      shortWeekday: (name: Weekday) => weekday.short(named(name)),
      hours: ({ start, end }: Hours) => `${timed(start)}–${timed(end)}`,
    };
  }, [locale]);
}

export type Times = ReturnType<typeof useTimes>;

export const isAllDay = ({ hours }: CalendarDay) =>
  hours.some(({ start, end }) => start === "00:00" && end === "23:59");
