/** Transactions with partner libraries, by the days of their status changes. */

import { getLocalTimeZone, parseDate, today } from "@internationalized/date";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage, Loading } from "../parts/states.tsx";
import type { TableColumn } from "../parts/table/column.ts";
import { Table } from "../parts/table/table.tsx";
import { useFormats } from "../words/index.tsx";
import { loadStatusChanges, MAX_CHANGES, ROLES, STATUSES, type Transaction, toTransactions } from "./changes.ts";
import { TransactionDetail } from "./detail.tsx";
import type { PartnerWords } from "./words/en.ts";
import { usePartnerWords } from "./words/index.tsx";
import "../lists/lists.css";

const ANY = "any";
/** Loans between libraries take some weeks, so the list begins 30 days ago. */
const DAYS_BACK = 30;

export default function PartnersPage() {
  const own = usePartnerWords();
  const formats = useFormats();
  const [get, set] = useAddress();
  const [opened, setOpened] = useState<string>();
  const now = today(formats.timeZone ?? getLocalTimeZone());
  const from = parseDay(get("from")) ?? now.subtract({ days: DAYS_BACK }).toString();
  const to = parseDay(get("to")) ?? now.toString();
  const [role, status] = [get("role"), get("status")];
  const found = useQuery({
    queryKey: ["partner-transactions", from, to],
    queryFn: ({ signal }) => loadStatusChanges(from, to, formats.timeZone, signal),
  });
  const all = useMemo(() => toTransactions(found.data?.transactions ?? []), [found.data]);
  const rows = all.filter((one) => (!role || one.role === role) && (!status || one.status === status));
  const shown = useMemo(() => transactionColumns(own), [own]);
  const choices = {
    role: ROLES.map((id) => ({ id: id as string, name: own.roles[id] ?? id })),
    status: STATUSES.map((id) => ({ id: id as string, name: own.statuses[id] ?? id })),
  };
  const chosen = { role, status };
  const total = found.data?.totalRecords ?? 0;
  const open = all.find(({ id }) => id === opened);
  return (
    <div className="table-page">
      <h1 className="unseen">{own.title}</h1>
      <section className="list-filters" aria-label={own.filters.title}>
        {(["role", "status"] as const).map((name) => (
          <Choice
            key={name}
            className="inline"
            label={own.columns[name]}
            options={[{ id: ANY, name: own.filters.any }, ...choices[name]]}
            value={chosen[name] || ANY}
            onChange={(id) => set({ [name]: id === ANY ? undefined : id })}
          />
        ))}
        {(
          [
            ["from", from],
            ["to", to],
          ] as const
        ).map(([name, value]) => (
          <label className="list-days" key={name}>
            {own.filters[name]}
            <input type="date" value={value} onChange={(event) => set({ [name]: event.target.value || undefined })} />
          </label>
        ))}
      </section>
      {found.isPending && <Loading />}
      {found.error && <ErrorMessage error={found.error} retry={() => void found.refetch()} />}
      {total > MAX_CHANGES && (
        <p className="banner warn">{own.firstOnly(formats.number(MAX_CHANGES), formats.number(total))}</p>
      )}
      {found.isSuccess && rows.length === 0 && <EmptyMessage>{own.none}</EmptyMessage>}
      {rows.length > 0 && (
        <Table
          label={own.title}
          rows={rows}
          columns={shown}
          keyOf={transactionKey}
          sort="title"
          fileName={own.title}
          onOpen={({ id }) => setOpened(id)}
        >
          <Button kind="quiet" onPress={() => void found.refetch()}>
            {own.again}
          </Button>
        </Table>
      )}
      {open && (
        <TransactionDetail
          transaction={open}
          onClose={() => setOpened(undefined)}
          onCancelled={() => {
            setOpened(undefined);
            void found.refetch();
          }}
        />
      )}
    </div>
  );
}

const transactionKey = ({ id }: Transaction) => id;

/** Undefined for an invalid day, which somebody may have typed into the address. */
function parseDay(text: string): string | undefined {
  try {
    return parseDate(text).toString();
  } catch {
    return undefined;
  }
}

function transactionColumns(own: PartnerWords): TableColumn<Transaction>[] {
  return [
    { id: "title", name: own.columns.title, width: 16, isMain: true, value: ({ item }) => item?.title },
    { id: "item", name: own.columns.item, width: 8, kind: "code", value: ({ item }) => item?.barcode },
    { id: "patron", name: own.columns.patron, width: 8, kind: "code", value: ({ patron }) => patron?.barcode },
    { id: "role", name: own.columns.role, width: 10, value: ({ role }) => own.roles[role] ?? role },
    {
      id: "status",
      name: own.columns.status,
      width: 9,
      isMain: true,
      value: ({ status }) => own.statuses[status] ?? status,
    },
    { id: "pickup", name: own.columns.pickup, width: 10, value: ({ pickup }) => pickup?.servicePointName },
    { id: "lender", name: own.columns.lender, width: 9, value: ({ item }) => item?.lendingLibraryCode },
  ];
}
