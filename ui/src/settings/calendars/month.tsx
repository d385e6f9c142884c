/** A month of a calendar: each day with its hours and exception. Arrow keys move between days, Enter edits one. */

import {
  type CalendarDate,
  endOfMonth,
  getDayOfWeek,
  isSameDay,
  isSameMonth,
  startOfMonth,
  startOfWeek,
  today,
} from "@internationalized/date";
import { useEffect, useRef, useState } from "react";
import { readingKey } from "../../parts/reading-key.ts";
import { useFormats } from "../../words/index.tsx";
import { useSettingsWords } from "../words/index.tsx";
import { type CalendarDay, type CalendarRecord, calendarDay, WEEKDAYS, weekdayOf } from "./record.ts";
import { isAllDay, useTimes } from "./times.ts";

interface Props {
  calendar: CalendarRecord;
  month: CalendarDate;
  onMonth: (month: CalendarDate) => void;
  onDay: (day: CalendarDate) => void;
}

export function Month({ calendar, month, onMonth, onDay }: Props) {
  const times = useTimes();
  const words = useSettingsWords().calendar;
  const { timeZone } = useFormats();
  const now = today(timeZone);
  const [at, setAt] = useState(isSameMonth(now, month) ? now : startOfMonth(month));
  const grid = useRef<HTMLTableElement>(null);
  const moved = useRef(false);
  const here = isSameMonth(at, month) ? at : startOfMonth(month);
  useEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${here}"]`)?.focus();
  });
  const go = (to: CalendarDate) => {
    moved.current = true;
    setAt(to);
    if (!isSameMonth(to, month)) onMonth(startOfMonth(to));
  };
  const weeks = weeksOf(month, times.locale);
  return (
    <table className="month" ref={grid} aria-label={times.month(month)}>
      <thead>
        <tr>
          {(weeks[0] ?? []).map((day) => (
            <th key={day.toString()} scope="col" abbr={times.weekday(weekdayOf(day))}>
              {times.shortWeekday(weekdayOf(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]?.toString()}>
            {week.map((day) => {
              if (!isSameMonth(day, month)) return <td key={day.toString()} className="elsewhere" />;
              const says = calendarDay(calendar, day);
              return (
                <td key={day.toString()} className={dayClassName(says)}>
                  <button
                    type="button"
                    data-day={day.toString()}
                    tabIndex={isSameDay(day, here) ? 0 : -1}
                    aria-current={isSameDay(day, now) ? "date" : undefined}
                    onClick={() => onDay(day)}
                    onFocus={() => setAt(day)}
                    onKeyDown={(event) => {
                      const to = KEY_STEPS[readingKey(event.key)]?.(day, times.locale);
                      if (to === undefined) return;
                      event.preventDefault();
                      go(to);
                    }}
                  >
                    <span className="unseen">{`${times.full(day)}: ${dayText(says, words, times)}`}</span>
                    <span className="drawn-day" aria-hidden="true">
                      <span className="day-number">{day.day}</span>
                      {says.exception && <span className="exception-name">{says.exception.name}</span>}
                      {!says.isOutside && <HoursOfDay says={says} />}
                    </span>
                  </button>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function HoursOfDay({ says }: { says: CalendarDay }) {
  const times = useTimes();
  const words = useSettingsWords().calendar;
  if (says.hours.length === 0) return <span className="hours-of-day">{words.closed}</span>;
  if (isAllDay(says)) return <span className="hours-of-day">{words.allDay}</span>;
  return says.hours.map((hours) => (
    <span className="hours-of-day" key={hours.start}>
      {times.hours(hours)}
    </span>
  ));
}

type CalendarWords = ReturnType<typeof useSettingsWords>["calendar"];

export function dayText(says: CalendarDay, words: CalendarWords, times: ReturnType<typeof useTimes>): string {
  if (says.isOutside) return words.outside;
  const hours =
    says.hours.length === 0 ? words.closed : isAllDay(says) ? words.allDay : says.hours.map(times.hours).join(", ");
  return says.exception ? `${says.exception.name}, ${hours}` : hours;
}

export function dayClassName({ isOutside, exception, hours }: CalendarDay): string {
  if (isOutside) return "outside";
  return `${hours.length === 0 ? "closed" : "open"} ${exception ? "exceptional" : ""}`;
}

/** The days of a month, by weeks as the language begins them; the first and last week reach into other months. */
export function weeksOf(month: CalendarDate, locale: string): CalendarDate[][] {
  const weeks: CalendarDate[][] = [];
  for (let day = startOfWeek(startOfMonth(month), locale); day.compare(endOfMonth(month)) <= 0; ) {
    weeks.push(WEEKDAYS.map((_, days) => day.add({ days })));
    day = day.add({ weeks: 1 });
  }
  return weeks;
}

const KEY_STEPS: Record<string, (day: CalendarDate, locale: string) => CalendarDate> = {
  ArrowLeft: (day) => day.subtract({ days: 1 }),
  ArrowRight: (day) => day.add({ days: 1 }),
  ArrowUp: (day) => day.subtract({ weeks: 1 }),
  ArrowDown: (day) => day.add({ weeks: 1 }),
  PageUp: (day) => day.subtract({ months: 1 }),
  PageDown: (day) => day.add({ months: 1 }),
  Home: (day, locale) => day.subtract({ days: getDayOfWeek(day, locale) }),
  End: (day, locale) => day.add({ days: 6 - getDayOfWeek(day, locale) }),
};
