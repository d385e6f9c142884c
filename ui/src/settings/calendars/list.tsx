/** All calendars, where they hold, and which service points have none today. */

import { today } from "@internationalized/date";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { servicePoints } from "../../api/library.ts";
import { recordsOf } from "../../api/settings.ts";
import { Empty, Loading, Trouble } from "../../parts/states.tsx";
import { useMay } from "../../shell/session.ts";
import { useFormats } from "../../words/index.tsx";
import { useSettingsWords } from "../words/index.tsx";
import { CALENDARS, type CalendarRecord } from "./record.ts";
import { useTimes } from "./times.ts";

/** So long before its end one should think of the next. */
const SOON = { months: 2 };

export function CalendarList() {
  const words = useSettingsWords();
  const may = useMay();
  const times = useTimes();
  const { timeZone } = useFormats();
  const asked = useQuery(recordsOf(CALENDARS));
  const points = useQuery(servicePoints).data ?? [];
  if (asked.isPending) return <Loading />;
  if (asked.error) return <Trouble error={asked.error} retry={() => void asked.refetch()} />;
  const calendars = (asked.data as unknown as CalendarRecord[]).sort((one, other) =>
    one.name.localeCompare(other.name),
  );
  const now = today(timeZone).toString();
  const soon = today(timeZone).add(SOON).toString();
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
      {calendars.length === 0 && <Empty>{words.noneYet}</Empty>}
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
