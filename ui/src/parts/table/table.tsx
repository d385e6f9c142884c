/**
 * A table of up to about 10,000 rows of equal height. Only the visible rows, and a few around them, are in the page.
 * The table has the focus, not its rows, since rows come and go with scrolling. (The table of react-aria-components
 * makes an object of each cell of all rows before it shows the first.)
 */

import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import type { TableColumn } from "./column.ts";
import { ROW_HEIGHTS, tablePreferences } from "./density.ts";
import { TableHead } from "./head.tsx";
import { keyCommand } from "./keys.ts";
import { TableRow } from "./row.tsx";
import { useTableLayout, useTickedRows } from "./state.ts";
import { TableTools } from "./tools.tsx";
import { roundScrollTop, scrollTopFor, visibleRange } from "./window.ts";
import { useTableWords } from "./words/index.tsx";
import "./table.css";

export interface TableProps<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly TableColumn<Row>[];
  keyOf: (row: Row) => string;
  /** The column by which the table is sorted at first; a minus before it reverses the order. */
  sort: string;
  fileName: string;
  actions?: (ticked: readonly Row[]) => ReactNode;
  onOpen?: (row: Row) => void;
  /** The CSS class of a row. */
  tone?: (row: Row) => string | undefined;
  /** Shown above the table while no row is ticked. */
  children?: ReactNode;
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, columns, keyOf, fileName, actions, onOpen, tone, children } = props;
  const words = useTableWords();
  const id = useId();
  const { visible, ordered, sort, onSort, onColumns } = useTableLayout(rows, columns, props.sort);
  const order = useMemo(() => ordered.map(keyOf), [ordered, keyOf]);
  const ticks = useTickedRows(order);
  const ticked = useMemo(() => ordered.filter((row) => ticks.keys.has(keyOf(row))), [ordered, ticks.keys, keyOf]);
  const scrolling = useScrolling(ordered.length);
  const [at, setActive] = useState(0);
  const active = Math.min(at, ordered.length - 1);
  const rowId = (index: number) => `${id}-${index}`;

  const { pressed, clicked } = useTableInput({ ordered, order, ticks, scrolling, active, setActive, onOpen });
  const { first, end } = scrolling;
  return (
    <div className="table">
      <TableTools
        {...{ columns, visible, onColumns, ticked, fileName, actions }}
        rows={ordered}
        onUntick={ticks.untickAll}
      >
        {children}
      </TableTools>
      <div className="table-scroll" ref={scrolling.ref} onScroll={scrolling.onScroll} data-density={scrolling.density}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows are chosen and ticked
          role="grid"
          aria-label={label}
          aria-rowcount={ordered.length + 1}
          aria-multiselectable="true"
          aria-describedby={`${id}-help`}
          aria-activedescendant={active >= first && active < end ? rowId(active) : undefined}
          tabIndex={0}
          onKeyDown={pressed}
          onClick={clicked}
          style={{ minWidth: `${2 + visible.reduce((sum, { width }) => sum + width, 0)}rem` }}
        >
          <colgroup>
            <col style={{ width: "2rem" }} />
            {visible.map((column) => (
              <col key={column.id} style={{ width: `${column.width}rem` }} />
            ))}
          </colgroup>
          <TableHead
            columns={visible}
            {...{ sort, onSort }}
            areAllTicked={ticked.length > 0 && ticked.length === ordered.length}
            onTickAll={(all) => (all ? ticks.tickAll() : ticks.untickAll())}
          />
          <TableBody
            rows={ordered}
            columns={visible}
            {...{ order, active, tone, scrolling, rowId }}
            ticked={ticks.keys}
          />
        </table>
      </div>
      <p className="unseen" id={`${id}-help`}>
        {words.help}
      </p>
    </div>
  );
}

interface TableInput<Row> {
  ordered: readonly Row[];
  order: readonly string[];
  ticks: ReturnType<typeof useTickedRows>;
  scrolling: ReturnType<typeof useScrolling>;
  active: number;
  setActive: (index: number) => void;
  onOpen: ((row: Row) => void) | undefined;
}

/** The reactions of the table to keys and clicks. */
function useTableInput<Row>({ ordered, order, ticks, scrolling, active, setActive, onOpen }: TableInput<Row>) {
  const pressed = (event: KeyboardEvent) => {
    // The headings are buttons, which react to keys themselves.
    if (event.target !== event.currentTarget) return;
    const means = keyCommand(event, { active, count: ordered.length, page: scrolling.page });
    if (means === undefined) return;
    event.preventDefault();
    const key = order[means.to ?? active] ?? "";
    if (means.does === "tickRange") {
      ticks.startRange(order[active] ?? key);
      ticks.extend(key);
    }
    if (means.does === "tick") ticks.toggle(key);
    if (means.does === "tickAll") ticks.tickAll();
    if (means.does === "tickNone") ticks.untickAll();
    const row = ordered[active];
    if (means.does === "open" && row !== undefined) onOpen?.(row);
    if (means.to === undefined) return;
    setActive(means.to);
    scrolling.show(means.to);
  };
  const clicked = (event: MouseEvent) => {
    const target = event.target as Element;
    const key = target.closest("tr")?.dataset.key;
    if (key === undefined || target.closest("a, button")) return;
    setActive(order.indexOf(key));
    if (event.shiftKey) ticks.extend(key);
    else ticks.toggle(key);
  };
  return { pressed, clicked };
}

interface TableBodyProps<Row> {
  rows: readonly Row[];
  order: readonly string[];
  columns: readonly TableColumn<Row>[];
  ticked: ReadonlySet<string>;
  active: number;
  tone: ((row: Row) => string | undefined) | undefined;
  scrolling: { first: number; end: number; rowHeight: number };
  rowId: (index: number) => string;
}

function TableBody<Row>({ rows, order, columns, ticked, active, tone, scrolling, rowId }: TableBodyProps<Row>) {
  const { first, end, rowHeight } = scrolling;
  return (
    <tbody>
      <SpacerRow height={first * rowHeight} />
      {rows.slice(first, end).map((row, offset) => {
        const index = first + offset;
        const key = order[index] ?? "";
        return (
          <TableRow
            key={key}
            id={rowId(index)}
            {...{ row, index, columns }}
            rowKey={key}
            isTicked={ticked.has(key)}
            isActive={index === active}
            tone={tone?.(row)}
          />
        );
      })}
      <SpacerRow height={(rows.length - end) * rowHeight} />
    </tbody>
  );
}

/** An empty row with the height of the rows that are not in the page. */
const SpacerRow = ({ height }: { height: number }) =>
  height > 0 && (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing can have the focus here
    <tr aria-hidden="true" className="table-gap">
      <td style={{ height }} />
    </tr>
  );

/** Which rows are visible, and how to scroll to another one. */
function useScrolling(count: number) {
  const { density } = tablePreferences.use();
  const rowHeight = ROW_HEIGHTS[density];
  const ref = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(600);
  useEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const sized = new ResizeObserver(() => setHeight(box.clientHeight));
    sized.observe(box);
    return () => sized.disconnect();
  }, []);
  const heading = ROW_HEIGHTS.dense + 4;
  const seen = Math.max(rowHeight, height - heading);
  return {
    ...visibleRange({ top, height, rowHeight, count }),
    ref,
    density,
    rowHeight,
    page: Math.max(1, Math.floor(seen / rowHeight) - 1),
    onScroll: () => setTop(roundScrollTop(ref.current?.scrollTop ?? 0, rowHeight)),
    show: (index: number) => {
      const box = ref.current;
      if (box === null) return;
      box.scrollTop = scrollTopFor(index, { top: box.scrollTop, height: seen, rowHeight });
      setTop(roundScrollTop(box.scrollTop, rowHeight));
    },
  };
}
