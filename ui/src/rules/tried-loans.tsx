/** Table of the loans that the changed rules would have treated differently: policies and due dates now and then. */

import { useMemo } from "react";
import { Choice } from "../parts/choice.tsx";
import { useAddress } from "../parts/search-line.tsx";
import type { TableColumn } from "../parts/table/column.ts";
import { Table } from "../parts/table/table.tsx";
import { type Formats, useFormats, useWords } from "../words/index.tsx";
import type { NamedRecord } from "./named.ts";
import { type ChangedLoan, changedPolicies, type Decision, MAX_EXAMPLES, type SimulationResult } from "./tried.ts";
import type { RulesWords } from "./words/en.ts";
import { useRulesWords } from "./words/index.tsx";
import "./tried.css";

const ALL = "all";

export function ChangedLoanTable({ tried, things }: { tried: SimulationResult; things: readonly NamedRecord[] }) {
  const words = useWords();
  const own = useRulesWords().tried;
  const formats = useFormats();
  const [get, set] = useAddress();
  const kinds = words.rules.changes as Record<string, string>;
  const columns = useMemo(() => columnsOf(own, kinds, things, formats), [own, kinds, things, formats]);
  const change = get("change");
  const rows = useMemo(() => tried.rows.filter((row) => !change || row.change === change), [tried.rows, change]);
  if (tried.rows.length === 0) return null;
  const options = Object.entries(tried.changes).map(([id, count]) => ({ id, name: `${count} ${kinds[id] ?? id}` }));
  return (
    <section className="tried-loans" aria-label={own.title}>
      <h2>{own.title}</h2>
      {tried.changed > MAX_EXAMPLES && (
        <p className="help">{own.firstOnly(formats.number(MAX_EXAMPLES), formats.number(tried.changed))}</p>
      )}
      <Table label={own.title} rows={rows} columns={columns} keyOf={loanKey} sort="change" fileName={own.file}>
        <Choice
          className="inline"
          label={own.change}
          options={[{ id: ALL, name: own.all }, ...options]}
          value={options.some(({ id }) => id === change) ? change : ALL}
          onChange={(id) => set({ change: id === ALL ? undefined : id })}
        />
      </Table>
    </section>
  );
}

const loanKey = ({ loanId }: ChangedLoan) => loanId;

function columnsOf(
  own: RulesWords["tried"],
  kinds: Record<string, string>,
  things: readonly NamedRecord[],
  formats: Formats,
): TableColumn<ChangedLoan>[] {
  const short = (instant: string) => formats.date(formats.isoDay(instant));
  const shown = ({ dueDate, notLent }: Decision) => {
    if (dueDate === undefined) return notLent;
    // Hourly loans are due at a time of the day.
    const isWholeDay = formats.due(dueDate) === formats.day(dueDate);
    return isWholeDay ? short(dueDate) : `${short(dueDate)}, ${formats.time(dueDate)}`;
  };
  const due = (side: "before" | "after"): Pick<TableColumn<ChangedLoan>, "width" | "value" | "show"> => ({
    width: 7.5,
    value: (row) => row[side].dueDate ?? row[side].notLent,
    show: (row) => shown(row[side]),
  });
  const policies = (row: ChangedLoan, side: "from" | "to") =>
    changedPolicies(row, things)
      .map((one) => one[side])
      .join("; ") ||
    (things.find(({ id }) => id === row.after.loanPolicyId)?.name ?? "");
  return [
    { id: "change", name: own.change, width: 7.5, isMain: true, value: ({ change }) => kinds[change] ?? change },
    { id: "title", name: own.columns.title, width: 10, isMain: true, value: ({ title }) => title },
    { id: "group", name: own.columns.group, width: 6, value: ({ group }) => group },
    { id: "policyBefore", name: own.columns.policyBefore, width: 10, value: (row) => policies(row, "from") },
    { id: "policyAfter", name: own.columns.policyAfter, width: 10, value: (row) => policies(row, "to") },
    { id: "dueBefore", name: own.columns.dueBefore, ...due("before") },
    { id: "dueAfter", name: own.columns.dueAfter, ...due("after") },
    {
      id: "lineBefore",
      name: own.columns.lineBefore,
      width: 5.5,
      kind: "number",
      isExtra: true,
      value: ({ before }) => before.line,
    },
    {
      id: "lineAfter",
      name: own.columns.lineAfter,
      width: 5.5,
      kind: "number",
      isExtra: true,
      value: ({ after }) => after.line,
    },
    {
      id: "barcode",
      name: own.columns.barcode,
      width: 8,
      kind: "code",
      isExtra: true,
      value: ({ barcode }) => barcode,
    },
    { id: "patron", name: own.columns.patron, width: 8, isExtra: true, value: ({ patron }) => patron },
    {
      id: "loanDate",
      name: own.columns.loanDate,
      width: 7,
      isExtra: true,
      value: ({ loanDate }) => loanDate,
      show: ({ loanDate }) => short(loanDate),
    },
  ];
}
