/** From when to when: hours of a day, or of a day off that has some. */

import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { useSettingsWords } from "../words/index.tsx";
import { type Hours, type NormalHours, nextDay, WEEKDAYS, type Weekday } from "./record.ts";
import { useTimes } from "./times.ts";

/** What a new opening begins with. */
export const USUAL: Hours = { start: "09:00", end: "17:00" };

export function HoursFields({
  of,
  hours,
  onChange,
}: {
  /** Which day they are of, for whoever does not see where they stand. */
  of: string;
  hours: readonly Hours[];
  onChange: (hours: Hours[]) => void;
}) {
  const words = useSettingsWords().calendar;
  const change = (index: number, part: Partial<Hours>) =>
    onChange(hours.map((one, place) => (place === index ? { ...one, ...part } : one)));
  return (
    <div className="hours-of">
      {hours.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no names of their own, and keep their order
        <div className="from-until" key={index}>
          <Field
            type="time"
            label={words.from}
            value={one.start}
            onChange={(start) => change(index, { start })}
            isRequired
          />
          <Field
            type="time"
            label={words.until}
            value={one.end}
            onChange={(end) => change(index, { end })}
            isRequired
          />
          <Button
            kind="quiet"
            aria-label={`${words.takeOut}: ${of} ${one.start}–${one.end}`}
            onPress={() => onChange(hours.filter((_, place) => place !== index))}
          >
            <span className="cross" aria-hidden="true" />
          </Button>
        </div>
      ))}
      <Button className="start" aria-label={`${words.addHours}: ${of}`} onPress={() => onChange([...hours, USUAL])}>
        {words.addHours}
      </Button>
    </div>
  );
}

/** The hours of a week. What closes before it opens closes on the next day. */
export function WeekHours({ hours, onChange }: { hours: NormalHours[]; onChange: (hours: NormalHours[]) => void }) {
  const times = useTimes();
  const words = useSettingsWords().calendar;
  return (
    <ul className="week-hours">
      {WEEKDAYS.map((day) => {
        const own = hours.filter(({ startDay }) => startDay === day);
        const others = hours.filter(({ startDay }) => startDay !== day);
        const say = (now: NormalHours[]) => onChange([...others, ...now]);
        return (
          <li key={day}>
            <strong>{times.weekday(day)}</strong>
            <Button
              kind="quiet"
              aria-label={`${words.addHours}: ${times.weekday(day)}`}
              onPress={() => say([...own, { startDay: day, startTime: USUAL.start, endDay: day, endTime: USUAL.end }])}
            >
              {words.addHours}
            </Button>
            <div className="hours-of">
              {own.length === 0 && <p className="help">{words.closed}</p>}
              {own.map((one, index) => (
                <OneOpening
                  // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no names of their own, and keep their order
                  key={index}
                  opening={one}
                  onChange={(changed) => say(own.map((now, place) => (place === index ? changed : now)))}
                  onRemove={() => say(own.filter((_, place) => place !== index))}
                />
              ))}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function OneOpening({
  opening,
  onChange,
  onRemove,
}: {
  opening: NormalHours;
  onChange: (opening: NormalHours) => void;
  onRemove: () => void;
}) {
  const times = useTimes();
  const words = useSettingsWords().calendar;
  const { startDay, endDay } = opening;
  const isLong = endDay !== startDay && endDay !== nextDay(startDay);
  const say = (part: Partial<NormalHours>) => {
    const now = { ...opening, ...part };
    const overNight = now.endTime <= now.startTime;
    onChange(isLong ? now : { ...now, endDay: overNight ? nextDay(startDay) : startDay });
  };
  const label = `${times.weekday(startDay)} ${opening.startTime.slice(0, 5)}–${opening.endTime.slice(0, 5)}`;
  return (
    <div className="from-until">
      <Field
        type="time"
        label={words.from}
        value={opening.startTime.slice(0, 5)}
        onChange={(startTime) => say({ startTime })}
        isRequired
      />
      <Field
        type="time"
        label={words.until}
        value={opening.endTime.slice(0, 5)}
        onChange={(endTime) => say({ endTime })}
        help={endDay === startDay ? undefined : times.weekday(endDay)}
        isRequired
      />
      {isLong && (
        <Choice
          label={words.untilDay}
          options={WEEKDAYS.map((id) => ({ id, name: times.weekday(id) }))}
          value={endDay}
          onChange={(endDay: Weekday) => onChange({ ...opening, endDay })}
        />
      )}
      <Button kind="quiet" aria-label={`${words.takeOut}: ${label}`} onPress={onRemove}>
        <span className="cross" aria-hidden="true" />
      </Button>
    </div>
  );
}
