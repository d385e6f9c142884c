/** One list: its filters, its table, and what is done with the ticked rows. */

import { type ReactNode, useMemo } from "react";
import { useLocation } from "wouter";
import { Button } from "../parts/button.tsx";
import { useAddress } from "../parts/search-line.tsx";
import { Empty, Trouble } from "../parts/states.tsx";
import { Table } from "../parts/table/table.tsx";
import { useServicePoint } from "../shell/session.ts";
import { useFormats, useWords } from "../words/index.tsx";
import { asked, FILTERS, inTime } from "./asked.ts";
import { useBulk } from "./bulk/bar.tsx";
import { JobPanel } from "./bulk/panel.tsx";
import { AddToCart } from "./carts/add.tsx";
import { columnsOf } from "./columns.tsx";
import { ListFilters } from "./filters.tsx";
import type { ListKind } from "./kind.ts";
import { MOST, type Progress, useLoaded } from "./loading.ts";
import type { ListRow } from "./row.ts";
import { useListWords } from "./words/index.tsx";

interface Props {
  /** By which what was loaded is remembered. */
  name: string;
  label: string;
  kind: ListKind;
  choice?: ReactNode;
  /** What Enter does in a row, if it does not go to the patron or the title. */
  onOpen?: (row: ListRow) => void;
  /** What stands there if there is nothing at all. */
  none?: string;
}

export function List({ name, label, kind, choice, onOpen, none }: Props) {
  const words = useWords();
  const own = useListWords();
  const formats = useFormats();
  const [get, set] = useAddress();
  const here = useServicePoint()?.id ?? "";
  const [, navigate] = useLocation();
  const read = asked(get);
  const wanted = kind.isOfOnePoint ? { ...read, at: read.at || here } : read;
  const list = useLoaded([name, wanted], (loading) => kind.load(inTime(wanted, formats.timeZone), loading));
  const columns = useMemo(() => columnsOf(kind, own, words, formats), [kind, own, words, formats]);
  const find = get("find");
  const rows = useMemo(() => found(list.data?.rows ?? [], find), [list.data, find]);
  const total = list.data?.total ?? 0;
  const [bar, dialog] = useBulk();
  const leave = ({ patronId, instanceId }: ListRow) =>
    (patronId || instanceId) && navigate(patronId ? `/patrons/${patronId}` : `/inventory/${instanceId}`);
  return (
    <>
      <section className="list-filters" aria-label={own.filters.title}>
        {choice}
        <ListFilters kind={kind} asked={wanted} />
      </section>
      <JobPanel />
      {list.error && <Trouble error={list.error} retry={() => void list.refetch()} />}
      {list.isFetching && <Far progress={list.progress} />}
      {total > MOST && <p className="banner warn">{own.firstOnly(formats.number(MOST), formats.number(total))}</p>}
      {list.isSuccess && (
        <Table
          key={name}
          label={label}
          rows={rows}
          columns={columns}
          keyOf={keyOf}
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
        <Empty>{find || FILTERS.some((filter) => get(filter)) ? own.noneOf : (none ?? own.none)}</Empty>
      )}
    </>
  );
}

export const keyOf = ({ key }: ListRow) => key;

/** Rows that have all of the words, wherever. */
function found(rows: readonly ListRow[], text: string): readonly ListRow[] {
  const sought = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (sought.length === 0) return rows;
  return rows.filter(({ title, barcode, callNumber, patron, patronBarcode, location, servicePoint }) => {
    const text = [title, barcode, callNumber, patron, patronBarcode, location, servicePoint].join(" ").toLowerCase();
    return sought.every((word) => text.includes(word));
  });
}

/** How much of a list has come. */
export function Far({ progress }: { progress: Progress | undefined }) {
  const own = useListWords();
  const formats = useFormats();
  return (
    <div className="list-far">
      <progress aria-label={own.loading} {...(progress && { value: progress.done, max: progress.of })} />
      <span>{progress ? own.far(formats.number(progress.done), formats.number(progress.of)) : own.loading}</span>
    </div>
  );
}
