/** Table of calls or transactions, with columns for the compared run if there is one. */

import type { Summary } from "../api/octavo.ts";
import { useFormats } from "../words/index.tsx";
import { errorCount } from "./reports.ts";
import { useLabWords } from "./words/index.tsx";

interface Props {
  /** The name of the test. */
  test: string;
  title: string;
  summaries: Summary[];
  comparison: Summary[] | undefined;
}

export function SummaryTable({ test, title, summaries, comparison }: Props) {
  const words = useLabWords();
  const { columns } = words;
  const formats = useFormats();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen is scrolled, by keyboard, too
    <section className="wide" aria-label={`${title}, ${test}`} tabIndex={0}>
      <table className="figures">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col">{columns.count}</th>
            <th scope="col">{columns.perSecond}</th>
            <th scope="col">{columns.average}</th>
            <th scope="col">{columns.p50}</th>
            <th scope="col">{columns.p95}</th>
            <th scope="col">{columns.p99}</th>
            <th scope="col">{columns.errors}</th>
            {comparison && (
              <>
                <th scope="col">{columns.other}</th>
                <th scope="col">{columns.difference}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {summaries.map((one) => (
            <tr key={one.name}>
              <th scope="row">{one.name}</th>
              <td>{formats.number(one.count)}</td>
              <td>{formats.number(one.per_second)}</td>
              <td>{formats.number(one.average)}</td>
              <td>{formats.number(one.p50)}</td>
              <td>{formats.number(one.p95)}</td>
              <td>{formats.number(one.p99)}</td>
              <td className={errorCount(one) > 0 ? "bad" : ""}>{formats.number(errorCount(one))}</td>
              {comparison && <ComparisonCells one={one} other={comparison.find(({ name }) => name === one.name)} />}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Compares averages of two single runs. Whether the difference is more than chance takes many runs. */
function ComparisonCells({ one, other }: { one: Summary; other: Summary | undefined }) {
  const formats = useFormats();
  const change = other && other.average > 0 ? one.average / other.average - 1 : undefined;
  return (
    <>
      <td>{other ? formats.number(other.average) : "–"}</td>
      <td>{change === undefined ? "–" : formats.percent(change)}</td>
    </>
  );
}
