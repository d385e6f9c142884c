/** Calendars as mod-calendar keeps them, and what one says of a day. */

import { type CalendarDate, getDayOfWeek, parseDate } from "@internationalized/date";

export const WEEKDAYS = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export interface NormalHours {
  startDay: Weekday;
  startTime: string;
  endDay: Weekday;
  endTime: string;
}

export interface Opening {
  startDate: string;
  startTime: string;
  endDate: string;
  endTime: string;
}

export interface Exception {
  name: string;
  startDate: string;
  endDate: string;
  openings: Opening[];
}

export interface CalendarRecord {
  id?: string;
  name: string;
  startDate: string;
  endDate: string;
  assignments: string[];
  normalHours: NormalHours[];
  exceptions: Exception[];
}

export const CALENDARS = { path: "/calendar/calendars", collection: "calendars" };

export interface Hours {
  start: string;
  end: string;
}

export interface DayOfCalendar {
  /** Before the calendar begins, or after it has ended. */
  outside: boolean;
  exception?: Exception;
  hours: Hours[];
}

/** Days as text compare as days do. */
const covers = ({ startDate, endDate }: { startDate: string; endDate: string }, day: string) =>
  startDate <= day && day <= endDate;

const short = (time: string) => time.slice(0, 5);
const MIDNIGHT = "00:00";
/** The last minute: as mod-calendar writes the end of a day. */
const LAST = "23:59";

export function dayOf(calendar: CalendarRecord, date: CalendarDate): DayOfCalendar {
  const day = date.toString();
  if (!covers(calendar, day)) return { outside: true, hours: [] };
  const exception = calendar.exceptions.find((one) => covers(one, day));
  const hours = exception ? hoursOfException(exception, day) : hoursOfWeek(calendar.normalHours, weekdayOf(date));
  return {
    outside: false,
    ...(exception && { exception }),
    hours: hours.sort((a, b) => a.start.localeCompare(b.start)),
  };
}

function hoursOfException({ openings }: Exception, day: string): Hours[] {
  return openings
    .filter((opening) => covers(opening, day))
    .map(({ startDate, startTime, endDate, endTime }) => ({
      start: startDate === day ? short(startTime) : MIDNIGHT,
      end: endDate === day ? short(endTime) : LAST,
    }));
}

/** An opening may last several days: Monday 07:00 to Thursday 23:59. */
function hoursOfWeek(normalHours: readonly NormalHours[], day: Weekday): Hours[] {
  const place = WEEKDAYS.indexOf(day);
  return normalHours.flatMap(({ startDay, startTime, endDay, endTime }) => {
    const start = WEEKDAYS.indexOf(startDay);
    const length = (WEEKDAYS.indexOf(endDay) - start + 7) % 7;
    const since = (place - start + 7) % 7;
    if (since > length) return [];
    return [{ start: since === 0 ? short(startTime) : MIDNIGHT, end: since === length ? short(endTime) : LAST }];
  });
}

export function weekdayOf(date: CalendarDate): Weekday {
  // Germany's week begins with Monday, as this list does.
  return WEEKDAYS[getDayOfWeek(date, "de")] ?? "MONDAY";
}

export const nextDay = (day: Weekday): Weekday => WEEKDAYS[(WEEKDAYS.indexOf(day) + 1) % 7] ?? "MONDAY";

/** The hours that every day of an exception has, or undefined where its days differ. */
export function sameHours({ startDate, endDate, openings }: Exception): Hours[] | undefined {
  if (openings.some((one) => one.startDate !== one.endDate)) return undefined;
  const ofDay = (day: string) =>
    openings
      .filter((one) => one.startDate === day)
      .map(({ startTime, endTime }) => ({ start: short(startTime), end: short(endTime) }));
  const first = ofDay(startDate);
  const said = JSON.stringify(first);
  return daysBetween(startDate, endDate).every((day) => JSON.stringify(ofDay(day)) === said) ? first : undefined;
}

/** The same hours on each day of an exception. */
export const everyDay = (startDate: string, endDate: string, hours: readonly Hours[]): Opening[] =>
  daysBetween(startDate, endDate).flatMap((day) =>
    hours.map(({ start, end }) => ({ startDate: day, startTime: start, endDate: day, endTime: end })),
  );

/** More days than any exception lasts. */
const MOST = 400;

function daysBetween(start: string, end: string): string[] {
  const days: string[] = [];
  if (!start || !end) return days;
  for (let day = parseDate(start); day.toString() <= end && days.length < MOST; day = day.add({ days: 1 })) {
    days.push(day.toString());
  }
  return days;
}
