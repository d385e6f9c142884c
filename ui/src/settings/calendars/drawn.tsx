/** A calendar as a month or a year. */

import { CalendarDate, parseDate, today } from "@internationalized/date";
import { Button } from "../../parts/button.tsx";
import { useAddress } from "../../parts/search-line.tsx";
import { useFormats } from "../../words/index.tsx";
import { useSettingsWords } from "../words/index.tsx";
import { Month } from "./month.tsx";
import type { CalendarRecord } from "./record.ts";
import { useTimes } from "./times.ts";
import { Year } from "./year.tsx";

/** A month or a year of the calendar; the address of the page keeps which. */
export function CalendarView({ calendar, onDay }: { calendar: CalendarRecord; onDay: (day: CalendarDate) => void }) {
  const words = useSettingsWords().calendar;
  const times = useTimes();
  const { timeZone } = useFormats();
  const [get, set] = useAddress();
  const isYear = get("view") === "year";
  const month = monthToShow(get("month"), calendar, today(timeZone));
  const show = (to: CalendarDate) => set({ month: to.toString().slice(0, 7) });
  const step = isYear ? { years: 1 } : { months: 1 };
  return (
    <section className="sheet" aria-label={words.drawn}>
      <div className="month-head">
        <Button
          kind="quiet"
          aria-label={isYear ? words.yearBefore : words.monthBefore}
          onPress={() => show(month.subtract(step))}
        >
          ‹
        </Button>
        <h2 aria-live="polite">{isYear ? month.year : times.month(month)}</h2>
        <Button
          kind="quiet"
          aria-label={isYear ? words.yearAfter : words.monthAfter}
          onPress={() => show(month.add(step))}
        >
          ›
        </Button>
        <Button className="view" onPress={() => set({ view: isYear ? undefined : "year" })}>
          {isYear ? words.asMonth : words.asYear}
        </Button>
      </div>
      {isYear ? (
        <Year
          calendar={calendar}
          year={month.year}
          onMonth={(to) => set({ view: undefined, month: to.toString().slice(0, 7) })}
        />
      ) : (
        <Month calendar={calendar} month={month} onMonth={show} onDay={onDay} />
      )}
      <ul className="legend">
        <li className="open">{words.open}</li>
        <li className="closed">{words.closed}</li>
        <li className="exceptional open">{words.exceptional}</li>
        <li className="outside">{words.outside}</li>
      </ul>
    </section>
  );
}

/** The month of the address, otherwise the present one, otherwise the first of the calendar. */
function monthToShow(said: string, { startDate, endDate }: CalendarRecord, now: CalendarDate): CalendarDate {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(said)) return parseDate(`${said}-01`);
  const here = now.toString();
  const day = startDate <= here && here <= endDate ? now : startDate ? parseDate(startDate) : now;
  return new CalendarDate(day.year, day.month, 1);
}
