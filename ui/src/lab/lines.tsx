/** Chart of average response times during a run: a line for each transaction, dotted for the run that is compared. */

import type { Run } from "../api/octavo.ts";
import { useFormats } from "../words/index.tsx";
import { useLabWords } from "./words/index.tsx";

const WIDTH = 860;
const HEIGHT = 220;
const LEFT = 64;
const BOTTOM = 32;
const TOP = 20;

interface ChartLine {
  key: string;
  name: string;
  values: (number | null)[];
  colour: number;
  isOther: boolean;
}

export function AverageChart({ run, other }: { run: Run; other: Run | undefined }) {
  const words = useLabWords();
  const formats = useFormats();
  const lines = [...chartLines(run, false), ...(other ? chartLines(other, true) : [])];
  const points = Math.max(0, ...lines.map(({ values }) => values.length));
  const most = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  if (points < 2 || most <= 0) return null;
  const x = (at: number) => LEFT + (at / (points - 1)) * (WIDTH - LEFT - 8);
  const y = (value: number) => TOP + (1 - value / most) * (HEIGHT - TOP - BOTTOM);
  return (
    <figure className="lines">
      <figcaption>{words.overTime}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words.overTime}>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line className="grid" x1={LEFT} x2={WIDTH - 8} y1={y(most * part)} y2={y(most * part)} />
            <text x={LEFT - 6} y={y(most * part) + 4} textAnchor="end">
              {formats.number(Math.round(most * part * 10) / 10)}
            </text>
          </g>
        ))}
        {[0, 0.5, 1].map((part) => (
          <text
            key={part}
            x={x((points - 1) * part)}
            y={HEIGHT - 6}
            textAnchor={part === 0 ? "start" : part === 1 ? "end" : "middle"}
          >
            {words.seconds(formats.number(Math.round((points - 1) * part * run.step)))}
          </text>
        ))}
        {lines.map(({ key, values, colour, isOther }) => (
          <path key={key} className={`line c${colour % 6}${isOther ? " other" : ""}`} d={svgPath(values, x, y)} />
        ))}
      </svg>
      <ul className="legend">
        {lines.map(({ key, name, colour, isOther }) => (
          <li key={key}>
            <svg viewBox="0 0 24 8" aria-hidden="true">
              <path className={`line c${colour % 6}${isOther ? " other" : ""}`} d="M0 4H24" />
            </svg>
            {isOther ? words.ofOther(name) : name}
          </li>
        ))}
      </ul>
    </figure>
  );
}

const chartLines = (run: Run, isOther: boolean): ChartLine[] =>
  run.transactions.map(({ name, line }, colour) => ({
    key: `${name} ${isOther}`,
    name,
    values: line.map(({ average }) => average),
    colour,
    isOther,
  }));

/** The path of a line; a step without a value leaves a gap. */
function svgPath(values: (number | null)[], x: (at: number) => number, y: (value: number) => number): string {
  return values
    .map((value, at) => {
      if (value === null) return "";
      const begins = at === 0 || values[at - 1] === null;
      return `${begins ? "M" : "L"}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join("");
}
