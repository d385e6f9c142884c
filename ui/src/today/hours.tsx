/** A bar chart of a day with one bar for each hour, and a table with the same numbers for screen readers. */

import { useId } from "react";
import { useFormats } from "../words/index.tsx";

const HOURS_PER_DAY = 24;

export function countByHour(moments: readonly string[], timeZone: string): number[] {
  const hourOf = new Intl.DateTimeFormat("en", { hour: "2-digit", hourCycle: "h23", timeZone });
  const hours = Array.from({ length: HOURS_PER_DAY }, () => 0);
  for (const moment of moments) {
    const hour = Number(hourOf.format(new Date(moment)));
    hours[hour] = (hours[hour] ?? 0) + 1;
  }
  return hours;
}

/** The largest number on the scale: even, so that its half is a whole number, and a round number above ten. */
export function scaleTop(most: number): number {
  const step = most <= 10 ? 2 : 10 ** Math.floor(Math.log10(most - 1));
  return Math.max(2, Math.ceil(most / step) * step);
}

export function HourChart({ name, hours }: { name: string; hours: number[] }) {
  const formats = useFormats();
  const id = useId();
  const most = scaleTop(Math.max(...hours));
  const sum = hours.reduce((total, count) => total + count, 0);
  return (
    <figure className="board" aria-labelledby={id}>
      <figcaption id={id}>
        <strong>{formats.number(sum)}</strong> {name}
      </figcaption>
      <div className="scaled">
        <p className="scale" aria-hidden="true">
          {[most, most / 2, 0].map((line) => (
            <span key={line}>{formats.number(line)}</span>
          ))}
        </p>
        <svg viewBox={`0 0 ${HOURS_PER_DAY * 10} 60`} preserveAspectRatio="none" aria-hidden="true">
          <path className="lines" d="M0 0.5H240M0 30H240M0 59.5H240" />
          {hours.map((count, hour) => {
            const height = (count / most) * 60;
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its hour
            return <rect key={hour} x={hour * 10 + 1} y={60 - height} width="8" height={height} />;
          })}
        </svg>
      </div>
      <p className="hours" aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </p>
      <table className="unseen">
        <tbody>
          {hours.map(
            (count, hour) =>
              count > 0 && (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row is its hour
                <tr key={hour}>
                  <th scope="row">{hour}</th>
                  <td>{count}</td>
                </tr>
              ),
          )}
        </tbody>
      </table>
    </figure>
  );
}
