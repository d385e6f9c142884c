/** The laboratory's runs: which there are, one of them, or two beside each other. */

import { useQuery } from "@tanstack/react-query";
import { Refused } from "../api/http.ts";
import { Choice } from "../parts/choice.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { Empty, Loading, Trouble } from "../parts/states.tsx";
import { useMay } from "../shell/session.ts";
import { useFormats } from "../words/index.tsx";
import { Lines } from "./lines.tsx";
import { useLabWords } from "./words/index.tsx";
import "../style/lab.css";
import type { Report, Run } from "../api/octavo.ts";
import { report, reports } from "./reports.ts";
import { Running } from "./running.tsx";
import { MAY_RUN } from "./runs.ts";
import { Summaries } from "./summaries.tsx";

const NONE = "none";

export default function Lab() {
  const words = useLabWords();
  const formats = useFormats();
  const [get, set] = useAddress();
  const may = useMay();
  const known = useQuery(reports);
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
      {known.data && may(...MAY_RUN) && <Running />}
      {known.isPending && <Loading />}
      {known.error instanceof Refused && known.error.status === 404 ? (
        <Empty>{words.noFolder}</Empty>
      ) : (
        known.error && <Trouble error={known.error} retry={() => void known.refetch()} />
      )}
      {known.data?.length === 0 && <Empty>{words.none}</Empty>}
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
          <Shown name={chosen} beside={beside} />
        </>
      )}
    </div>
  );
}

function Shown({ name, beside }: { name: string; beside: string }) {
  const one = useQuery(report(name));
  const other = useQuery(report(beside)).data;
  if (one.isPending) return <Loading />;
  if (one.error) return <Trouble error={one.error} retry={() => void one.refetch()} />;
  return (
    <>
      <Circumstances report={one.data} />
      {other && <Circumstances report={other} />}
      {one.data.runs.map((run) => (
        <Test key={run.test} run={run} other={other?.runs.find(({ test }) => test === run.test)} />
      ))}
    </>
  );
}

function Circumstances({ report }: { report: Report }) {
  const words = useLabWords();
  const formats = useFormats();
  return (
    <p className="fact">
      {[report.about, formats.moment(report.started), report.version, report.server, report.machine].join(" · ")}
      {report.interrupted && ` · ${words.interrupted}`}
    </p>
  );
}

function Test({ run, other }: { run: Run; other: Run | undefined }) {
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
      <Summaries test={run.test} title={words.transactions} all={run.transactions} others={other?.transactions} />
      <Lines run={run} other={other} />
      <Summaries test={run.test} title={words.calls} all={run.calls} others={other?.calls} />
    </section>
  );
}
