/**
 * Days of settings are stored as instants: the start of a first day, the end of a last day, in the library's time zone.
 */

import { fromAbsolute, parseDate, Time, toCalendarDate, toCalendarDateTime, toZoned } from "@internationalized/date";

const START = new Time(0, 0, 0, 0);
const END = new Time(23, 59, 59, 999);

export function instantOfDay(day: string, timeZone: string, isEnd: boolean): string {
  return toZoned(toCalendarDateTime(parseDate(day), isEnd ? END : START), timeZone).toAbsoluteString();
}

/** Like `2026-11-22`, as a date field has it. */
export function dayOfInstant(instant: string, timeZone: string): string {
  return toCalendarDate(fromAbsolute(Date.parse(instant), timeZone)).toString();
}
