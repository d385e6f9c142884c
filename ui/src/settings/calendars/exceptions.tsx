/** The list of exceptions of a calendar; past ones are shown on demand. */

import { today } from "@internationalized/date";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { useFormats } from "../../words/index.tsx";
import { useSettingsWords } from "../words/index.tsx";
import { type CalendarRecord, commonHours, type Exception } from "./record.ts";
import { useTimes } from "./times.ts";

export function Exceptions({
  calendar,
  allowed,
  onEdit,
  onRemove,
}: {
  calendar: CalendarRecord;
  allowed: boolean;
  onEdit: (editing: { exception: Exception; index?: number }) => void;
  onRemove: (index: number) => void;
}) {
  const words = useSettingsWords().calendar;
  const common = useSettingsWords();
  const times = useTimes();
  const { timeZone } = useFormats();
  const [past, showPast] = useState(false);
  const now = today(timeZone).toString();
  const all = calendar.exceptions
    .map((exception, index) => ({ exception, index }))
    .sort((one, other) => one.exception.startDate.localeCompare(other.exception.startDate));
  const shown = all.filter(({ exception }) => past || exception.endDate >= now);
  const first = [calendar.startDate, now].sort().at(-1) ?? now;
  const inWords = (exception: Exception) => {
    const hours = commonHours(exception);
    if (hours === undefined) return words.differ;
    return hours.length === 0 ? words.closed : hours.map(times.hours).join(", ");
  };
  return (
    <section className="sheet" aria-label={words.exceptions}>
      <h2>{words.exceptions}</h2>
      {allowed && <p className="help">{words.exceptionsHelp}</p>}
      <ul className="exceptions">
        {shown.map(({ exception, index }) => (
          <li key={`${exception.startDate} ${exception.name}`}>
            <div>
              <strong>{exception.name}</strong>
              <small>
                {exception.startDate === exception.endDate
                  ? times.day(exception.startDate)
                  : `${times.day(exception.startDate)} – ${times.day(exception.endDate)}`}
                {": "}
                {inWords(exception)}
              </small>
            </div>
            {allowed && (
              <div className="buttons">
                <Button
                  kind="quiet"
                  aria-label={`${words.change}: ${exception.name}`}
                  onPress={() => onEdit({ exception, index })}
                >
                  {words.change}
                </Button>
                <Button
                  kind="quiet"
                  aria-label={`${common.removeRow}: ${exception.name}`}
                  onPress={() => onRemove(index)}
                >
                  {common.removeRow}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      <div className="tools">
        {allowed && (
          <Button onPress={() => onEdit({ exception: { name: "", startDate: first, endDate: first, openings: [] } })}>
            {words.newException}
          </Button>
        )}
        {shown.length < all.length && (
          <Button kind="quiet" onPress={() => showPast(true)}>
            {words.showPast(all.length - shown.length)}
          </Button>
        )}
      </div>
    </section>
  );
}
