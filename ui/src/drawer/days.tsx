/** FOLIO's cash drawer reconciliation report: the payments at a service point, with their sums. */

import { today } from "@internationalized/date";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../api/http.ts";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { saveCsv } from "../parts/csv.ts";
import { Field } from "../parts/field.tsx";
import { usePrint } from "../parts/paper.tsx";
import { ReceiptHead } from "../parts/receipt-head.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { useDrawerWords } from "./words/index.tsx";

type Payment = Partial<Record<string, string>>;

interface ReportSum {
  name?: string;
  totalAmount?: string;
  totalCount?: string;
}

interface Report {
  reportData: Payment[];
  reportStats: Partial<Record<"bySource" | "byPaymentMethod" | "byFeeFineType" | "byFeeFineOwner", ReportSum[]>>;
}

const REPORT_PATH = "/feefine-reports/cash-drawer-reconciliation";
const EVERYBODY = "everybody";

export function DayReport({ servicePoint: createdAt }: { servicePoint: string }) {
  const words = useDrawerWords().days;
  const { timeZone } = useFormats();
  const now = today(timeZone).toString();
  const [startDate, setStart] = useState(now);
  const [endDate, setEnd] = useState(now);
  const [source, setSource] = useState(EVERYBODY);
  const sources = useQuery({
    queryKey: ["drawer", "sources", createdAt],
    queryFn: () => ask<{ sources: string[] }>(`${REPORT_PATH}/sources`, { method: "POST", body: { createdAt } }),
  }).data?.sources;
  const report = useQuery({
    queryKey: ["drawer", "report", createdAt, startDate, endDate, source],
    placeholderData: keepPreviousData,
    enabled: startDate !== "",
    queryFn: () => {
      const body = {
        createdAt,
        startDate,
        ...(endDate && { endDate }),
        ...(source !== EVERYBODY && { sources: [source] }),
      };
      return ask<Report>(REPORT_PATH, { method: "POST", body });
    },
  });
  return (
    <section className="sheet" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p className="help">{words.help}</p>
      <div className="pair">
        <Field type="date" label={words.from} value={startDate} onChange={setStart} />
        <Field type="date" label={words.to} value={endDate} onChange={setEnd} />
        <Choice
          label={words.source}
          options={[{ id: EVERYBODY, name: words.everybody }, ...(sources ?? []).map((name) => ({ id: name, name }))]}
          value={source}
          onChange={setSource}
        />
      </div>
      {report.isPending && <Loading />}
      {report.error && <ErrorMessage error={report.error} retry={() => void report.refetch()} />}
      {report.data && !report.error && <PaymentReport report={report.data} days={[startDate, endDate]} />}
    </section>
  );
}

function PaymentReport({ report, days }: { report: Report; days: [string, string] }) {
  const words = useDrawerWords().days;
  const common = useWords();
  const [paper, print] = usePrint();
  const formats = useFormats();
  if (report.reportData.length === 0) return <EmptyMessage>{words.none}</EmptyMessage>;
  const columns = Object.entries(words.columns).map(
    ([member, heading]) => [heading, (payment: Payment) => payment[member]] as const,
  );
  return (
    <>
      <ReportTotals report={report} />
      <div className="buttons">
        <Button
          onPress={() =>
            print(
              <>
                <ReceiptHead />
                <h3>{words.title}</h3>
                <p>{days.filter(Boolean).map(formats.date).join(" – ")}</p>
                <ReportTotals report={report} />
              </>,
            )
          }
        >
          {common.print}
        </Button>
        <Button onPress={() => saveCsv(`${words.title}.csv`, columns, report.reportData)}>{words.csv}</Button>
      </div>
      {paper}
    </>
  );
}

function ReportTotals({ report: { reportStats } }: { report: Report }) {
  const words = useDrawerWords().days;
  const formats = useFormats();
  const kinds = Object.entries(words.totals) as [keyof Report["reportStats"], string][];
  // The last line of each table is the sum of the others, with an English label by FOLIO.
  const nameOf = (name = "") => (/ totals$/.test(name) ? words.total : name);
  return kinds.map(([kind, title]) => (
    <table className="sums" key={kind}>
      <caption>{title}</caption>
      <tbody>
        {(reportStats[kind] ?? []).map(({ name, totalAmount, totalCount = "" }) => (
          <tr key={name}>
            <th scope="row">{nameOf(name)}</th>
            <td>{words.count(Number(totalCount))}</td>
            <td>{formats.money(Number(totalAmount))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  ));
}
