/** Calendar records of mod-calendar, and the opening hours of a day. */

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

export interface CalendarDay {
  /** The day is before or after the dates of the calendar. */
  isOutside: boolean;
  exception?: Exception;
  hours: Hours[];
}

/** Days such as 2026-11-22 can be compared as text. */
const includesDay = ({ startDate, endDate }: { startDate: string; endDate: string }, day: string) =>
  startDate <= day && day <= endDate;

const hoursAndMinutes = (time: string) => time.slice(0, 5);
const MIDNIGHT = "00:00";
/** The last minute of a day, with which mod-calendar ends a day. */
const LAST_MINUTE = "23:59";

export function calendarDay(calendar: CalendarRecord, date: CalendarDate): CalendarDay {
  const day = date.toString();
  if (!includesDay(calendar, day)) return { isOutside: true, hours: [] };
  const exception = calendar.exceptions.find((one) => includesDay(one, day));
  const hours = exception ? hoursOfException(exception, day) : hoursOfWeek(calendar.normalHours, weekdayOf(date));
  return {
    isOutside: false,
    ...(exception && { exception }),
    hours: hours.sort((a, b) => a.start.localeCompare(b.start)),
  };
}

function hoursOfException({ openings }: Exception, day: string): Hours[] {
  return openings
    .filter((opening) => includesDay(opening, day))
    .map(({ startDate, startTime, endDate, endTime }) => ({
      start: startDate === day ? hoursAndMinutes(startTime) : MIDNIGHT,
      end: endDate === day ? hoursAndMinutes(endTime) : LAST_MINUTE,
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
    return [
      {
        start: since === 0 ? hoursAndMinutes(startTime) : MIDNIGHT,
        end: since === length ? hoursAndMinutes(endTime) : LAST_MINUTE,
      },
    ];
  });
}

export function weekdayOf(date: CalendarDate): Weekday {
  // The locale "de" has weeks that begin with Monday, as this list does.
  return WEEKDAYS[getDayOfWeek(date, "de")] ?? "MONDAY";
}

export const nextDay = (day: Weekday): Weekday => WEEKDAYS[(WEEKDAYS.indexOf(day) + 1) % 7] ?? "MONDAY";

/** The opening hours common to all days of an exception; undefined if its days differ. */
export function commonHours({ startDate, endDate, openings }: Exception): Hours[] | undefined {
  if (openings.some((one) => one.startDate !== one.endDate)) return undefined;
  const ofDay = (day: string) =>
    openings
      .filter((one) => one.startDate === day)
      .map(({ startTime, endTime }) => ({ start: hoursAndMinutes(startTime), end: hoursAndMinutes(endTime) }));
  const first = ofDay(startDate);
  const said = JSON.stringify(first);
  return daysBetween(startDate, endDate).every((day) => JSON.stringify(ofDay(day)) === said) ? first : undefined;
}

/** Openings of an exception with the same hours on each day. */
export const openingsOnEachDay = (startDate: string, endDate: string, hours: readonly Hours[]): Opening[] =>
  daysBetween(startDate, endDate).flatMap((day) =>
    hours.map(({ start, end }) => ({ startDate: day, startTime: start, endDate: day, endTime: end })),
  );

/** More days than any exception lasts. */
const MAX_DAYS = 400;

function daysBetween(start: string, end: string): string[] {
  const days: string[] = [];
  if (!start || !end) return days;
  for (let day = parseDate(start); day.toString() <= end && days.length < MAX_DAYS; day = day.add({ days: 1 })) {
    days.push(day.toString());
  }
  return days;
}
