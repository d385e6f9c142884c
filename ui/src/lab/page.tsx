/** The laboratory page: the list of load test runs, the report of one, or two side by side. */

import { useQuery } from "@tanstack/react-query";
import { Refused } from "../api/http.ts";
import { Choice } from "../parts/choice.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { AverageChart } from "./lines.tsx";
import { useLabWords } from "./words/index.tsx";
import "../style/lab.css";
import type { Report, Run } from "../api/octavo.ts";
import { reportByName, reportList } from "./reports.ts";
import { CurrentRun } from "./running.tsx";
import { RUN_PERMISSIONS } from "./runs.ts";
import { SummaryTable } from "./summaries.tsx";

const NONE = "none";

export default function Lab() {
  const words = useLabWords();
  const formats = useFormats();
  const [get, set] = useAddress();
  const may = useMay();
  const known = useQuery(reportList);
  const chosen = get("run") || (known.data?.[0]?.name ?? "");
  const beside = get("with");
  const options = (known.data ?? []).map(({ name, report }) => ({
    id: name,
    name: `${report.experiment}, ${formats.moment(report.started)}, ${report.version}`,
  }));
  return (
    <div className="desk-page">
      <h1>{words.title}</h1>
      <p className="help">{words.help}</p>
      {known.data && may(...RUN_PERMISSIONS) && <CurrentRun />}
      {known.isPending && <Loading />}
      {known.error instanceof Refused && known.error.status === 404 ? (
        <EmptyMessage>{words.noFolder}</EmptyMessage>
      ) : (
        known.error && <ErrorMessage error={known.error} retry={() => void known.refetch()} />
      )}
      {known.data?.length === 0 && <EmptyMessage>{words.none}</EmptyMessage>}
      {options.length > 0 && (
        <>
          <div className="pair">
            <Choice label={words.run} options={options} value={chosen} onChange={(run) => set({ run })} />
            <Choice
              label={words.beside}
              options={[{ id: NONE, name: words.nothing }, ...options.filter(({ id }) => id !== chosen)]}
              value={beside || NONE}
              onChange={(id) => set({ with: id === NONE ? undefined : id })}
            />
          </div>
          <ReportView name={chosen} beside={beside} />
        </>
      )}
    </div>
  );
}

function ReportView({ name, beside }: { name: string; beside: string }) {
  const one = useQuery(reportByName(name));
  const other = useQuery(reportByName(beside)).data;
  if (one.isPending) return <Loading />;
  if (one.error) return <ErrorMessage error={one.error} retry={() => void one.refetch()} />;
  return (
    <>
      <ReportHeader report={one.data} />
      {other && <ReportHeader report={other} />}
      {one.data.runs.map((run) => (
        <TestResult key={run.test} run={run} other={other?.runs.find(({ test }) => test === run.test)} />
      ))}
    </>
  );
}

function ReportHeader({ report }: { report: Report }) {
  const words = useLabWords();
  const formats = useFormats();
  return (
    <p className="fact">
      {[report.about, formats.moment(report.started), report.version, report.server, report.machine].join(" · ")}
      {report.interrupted && ` · ${words.interrupted}`}
    </p>
  );
}

function TestResult({ run, other }: { run: Run; other: Run | undefined }) {
  const words = useLabWords();
  const formats = useFormats();
  return (
    <section>
      <h2>
        {run.test} <small>{words.lasted(formats.number(run.users), formats.number(Math.round(run.seconds)))}</small>
      </h2>
      {run.generator?.spoilt.map((why) => (
        <p className="banner warn" key={why}>
          {words.spoilt} {why}
        </p>
      ))}
      <SummaryTable
        test={run.test}
        title={words.transactions}
        summaries={run.transactions}
        comparison={other?.transactions}
      />
      <AverageChart run={run} other={other} />
      <SummaryTable test={run.test} title={words.calls} summaries={run.calls} comparison={other?.calls} />
    </section>
  );
}
