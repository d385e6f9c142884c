/** The list of calendars with their service points, and a warning for service points without one today. */

import { today } from "@internationalized/date";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { servicePoints } from "../../api/library.ts";
import { recordsQuery } from "../../api/settings.ts";
import { EmptyMessage, ErrorMessage, Loading } from "../../parts/states.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats } from "../../words/index.tsx";
import { useSettingsWords } from "../words/index.tsx";
import { CALENDARS, type CalendarRecord } from "./record.ts";
import { useTimes } from "./times.ts";

/** A calendar is marked so long before it ends, as a new one is needed then. */
const SOON_BEFORE_END = { months: 2 };

export function CalendarList() {
  const words = useSettingsWords();
  const may = useMay();
  const times = useTimes();
  const { timeZone } = useFormats();
  const asked = useQuery(recordsQuery(CALENDARS));
  const points = useQuery(servicePoints).data ?? [];
  if (asked.isPending) return <Loading />;
  if (asked.error) return <ErrorMessage error={asked.error} retry={() => void asked.refetch()} />;
  const calendars = (asked.data as unknown as CalendarRecord[]).sort((one, other) =>
    one.name.localeCompare(other.name),
  );
  const now = today(timeZone).toString();
  const soon = today(timeZone).add(SOON_BEFORE_END).toString();
  const holds = ({ startDate, endDate }: CalendarRecord) => startDate <= now && now <= endDate;
  const without = points.filter(
    ({ id }) => !calendars.some((calendar) => holds(calendar) && calendar.assignments.includes(id)),
  );
  const nameOf = (id: string) => points.find((point) => point.id === id)?.name ?? id;
  return (
    <section className="work" aria-label={words.calendar.many}>
      <div className="tools">
        <p className="help">{words.calendar.help}</p>
        {may("calendar.endpoint.calendars.post") && (
          <Link href="/settings/calendars/new" className="button primary">
            {words.calendar.make}
          </Link>
        )}
      </div>
      {without.length > 0 && <p className="banner warn">{words.calendar.without(without.map(({ name }) => name))}</p>}
      {calendars.length === 0 && <EmptyMessage>{words.noneYet}</EmptyMessage>}
      <ul className="rows">
        {calendars.map((calendar) => (
          <li className="row short" key={calendar.id}>
            <div className="what">
              <Link href={`/settings/calendars/${calendar.id}`}>{calendar.name}</Link>
              <small>{calendar.assignments.map(nameOf).join(", ") || words.calendar.nowhere}</small>
            </div>
            <p className="due quiet">
              <small>
                {times.day(calendar.startDate)} – {times.day(calendar.endDate)}
              </small>
              {holds(calendar) && calendar.endDate < soon && (
                <>
                  <br />
                  <small className="warn">{words.calendar.endsSoon}</small>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
