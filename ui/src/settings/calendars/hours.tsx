/** Fields for opening hours: of a week, or of an exception. */

import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Field } from "../../parts/field.tsx";
import { useSettingsWords } from "../words/index.tsx";
import { type Hours, type NormalHours, nextDay, WEEKDAYS, type Weekday } from "./record.ts";
import { useTimes } from "./times.ts";

/** The hours of a new opening. */
export const DEFAULT_HOURS: Hours = { start: "09:00", end: "17:00" };

export function HoursFields({
  dayLabel,
  hours,
  onChange,
}: {
  /** The day of the hours, for screen readers. */
  dayLabel: string;
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
            aria-label={`${words.takeOut}: ${dayLabel} ${one.start}–${one.end}`}
            onPress={() => onChange(hours.filter((_, place) => place !== index))}
          >
            <span className="cross" aria-hidden="true" />
          </Button>
        </div>
      ))}
      <Button
        className="start"
        aria-label={`${words.addHours}: ${dayLabel}`}
        onPress={() => onChange([...hours, DEFAULT_HOURS])}
      >
        {words.addHours}
      </Button>
    </div>
  );
}

/** The opening hours of a week. Hours that end before they begin end on the next day. */
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
              onPress={() =>
                say([
                  ...own,
                  { startDay: day, startTime: DEFAULT_HOURS.start, endDay: day, endTime: DEFAULT_HOURS.end },
                ])
              }
            >
              {words.addHours}
            </Button>
            <div className="hours-of">
              {own.length === 0 && <p className="help">{words.closed}</p>}
              {own.map((one, index) => (
                <OpeningFields
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

function OpeningFields({
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
