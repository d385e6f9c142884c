/** One list: its filters, its table, and the actions for the ticked rows. */

import { type ReactNode, useMemo } from "react";
import { useLocation } from "wouter";
import { Button } from "../parts/button.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { EmptyMessage, ErrorMessage } from "../parts/states.tsx";
import { Table } from "../parts/table/table.tsx";
import { useServicePoint } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { FILTERS, filtersFromAddress, withInstants } from "./asked.ts";
import { useBulkActions } from "./bulk/bar.tsx";
import { JobPanel } from "./bulk/panel.tsx";
import { AddToCart } from "./carts/add.tsx";
import { columnsOf } from "./columns.tsx";
import { ListFilters } from "./filters.tsx";
import type { ListKind } from "./kind.ts";
import { MAX_ROWS, type Progress, useLoadedRows } from "./loading.ts";
import type { ListRow } from "./row.ts";
import { useListWords } from "./words/index.tsx";

interface Props {
  /** Key under which the loaded rows are cached. */
  name: string;
  label: string;
  kind: ListKind;
  choice?: ReactNode;
  /** What Enter does in a row. Default: it opens the patron or, without one, the title. */
  onOpen?: (row: ListRow) => void;
  /** Text of an empty list without filters. */
  emptyText?: string;
}

export function List({ name, label, kind, choice, onOpen, emptyText }: Props) {
  const words = useWords();
  const own = useListWords();
  const formats = useFormats();
  const [get, set] = useAddress();
  const here = useServicePoint()?.id ?? "";
  const [, navigate] = useLocation();
  const read = filtersFromAddress(get);
  const wanted = kind.isOneServicePoint ? { ...read, at: read.at || here } : read;
  const list = useLoadedRows([name, wanted], (loading) => kind.load(withInstants(wanted, formats.timeZone), loading));
  const columns = useMemo(() => columnsOf(kind, own, words, formats), [kind, own, words, formats]);
  const find = get("find");
  const rows = useMemo(() => findRows(list.data?.rows ?? [], find), [list.data, find]);
  const total = list.data?.total ?? 0;
  const [bar, dialog] = useBulkActions();
  const leave = ({ patronId, instanceId }: ListRow) =>
    (patronId || instanceId) && navigate(patronId ? `/patrons/${patronId}` : `/inventory/${instanceId}`);
  return (
    <>
      <section className="list-filters" aria-label={own.filters.title}>
        {choice}
        <ListFilters kind={kind} values={wanted} />
      </section>
      <JobPanel />
      {list.error && <ErrorMessage error={list.error} retry={() => void list.refetch()} />}
      {list.isFetching && <LoadingProgress progress={list.progress} />}
      {total > MAX_ROWS && (
        <p className="banner warn">{own.firstOnly(formats.number(MAX_ROWS), formats.number(total))}</p>
      )}
      {list.isSuccess && (
        <Table
          key={name}
          label={label}
          rows={rows}
          columns={columns}
          keyOf={rowKey}
          sort={kind.sort}
          actions={(ticked) => (
            <>
              {bar(ticked)}
              <AddToCart rows={ticked} />
            </>
          )}
          fileName={label}
          onOpen={onOpen ?? leave}
        >
          <input
            type="search"
            className="list-find"
            aria-label={own.find}
            placeholder={own.find}
            value={find}
            onChange={(event) => set({ find: event.target.value })}
          />
          <Button kind="quiet" onPress={() => void list.refetch()}>
            {own.again}
          </Button>
        </Table>
      )}
      {dialog}
      {list.isSuccess && rows.length === 0 && (
        <EmptyMessage>
          {find || FILTERS.some((filter) => get(filter)) ? own.noneFit : (emptyText ?? own.none)}
        </EmptyMessage>
      )}
    </>
  );
}

export const rowKey = ({ key }: ListRow) => key;

/** Rows in which each word of the text occurs, in any of these columns. */
function findRows(rows: readonly ListRow[], text: string): readonly ListRow[] {
  const sought = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (sought.length === 0) return rows;
  return rows.filter(({ title, barcode, callNumber, patron, patronBarcode, location, servicePoint }) => {
    const text = [title, barcode, callNumber, patron, patronBarcode, location, servicePoint].join(" ").toLowerCase();
    return sought.every((word) => text.includes(word));
  });
}

/** How many rows of a list have been loaded, as a bar and as numbers. */
export function LoadingProgress({ progress }: { progress: Progress | undefined }) {
  const own = useListWords();
  const formats = useFormats();
  return (
    <div className="list-far">
      <progress aria-label={own.loading} {...(progress && { value: progress.done, max: progress.total })} />
      <span>
        {progress ? own.progress(formats.number(progress.done), formats.number(progress.total)) : own.loading}
      </span>
    </div>
  );
}
