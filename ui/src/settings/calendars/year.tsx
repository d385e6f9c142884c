/** A year at a glance: twelve small months, each leads to the large one. */

import { CalendarDate, isSameMonth } from "@internationalized/date";
import { useSettingsWords } from "../words/index.tsx";
import { dayClassName, weeksOf } from "./month.tsx";
import { type CalendarRecord, calendarDay } from "./record.ts";
import { useTimes } from "./times.ts";

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

interface Props {
  calendar: CalendarRecord;
  year: number;
  onMonth: (month: CalendarDate) => void;
}

export function Year({ calendar, year, onMonth }: Props) {
  return (
    <ul className="year">
      {MONTHS.map((number) => (
        <li key={number}>
          <SmallMonth calendar={calendar} month={new CalendarDate(year, number, 1)} onMonth={onMonth} />
        </li>
      ))}
    </ul>
  );
}

function SmallMonth({
  calendar,
  month,
  onMonth,
}: {
  calendar: CalendarRecord;
  month: CalendarDate;
  onMonth: (month: CalendarDate) => void;
}) {
  const times = useTimes();
  const words = useSettingsWords().calendar;
  const days = weeksOf(month, times.locale).flat();
  const own = days.filter((day) => isSameMonth(day, month)).map((day) => calendarDay(calendar, day));
  const open = own.filter(({ hours }) => hours.length > 0).length;
  const exceptions = new Set(own.flatMap(({ exception }) => (exception ? [exception.name] : [])));
  return (
    <button type="button" className="small-month" onClick={() => onMonth(month)}>
      <strong>{times.month(month)}</strong>
      <span className="unseen">{[words.openDays(open), ...exceptions].join(", ")}</span>
      <span className="small-days" aria-hidden="true">
        {days.map((day) => (
          <span
            key={day.toString()}
            className={isSameMonth(day, month) ? dayClassName(calendarDay(calendar, day)) : "elsewhere"}
          >
            {isSameMonth(day, month) ? day.day : ""}
          </span>
        ))}
      </span>
    </button>
  );
}
