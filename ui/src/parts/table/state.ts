/** The state of a table: order and columns are kept in the address, ticked rows in the component. */

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useAddress } from "../search-line.tsx";
import { sortRows, type TableColumn, visibleColumns } from "./column.ts";
import { EMPTY_SELECTION, extendToRow, type Selection, toggleRow, withoutMissingRows } from "./selection.ts";

const NARROW_SCREEN = "(max-width: 40rem)";

function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(NARROW_SCREEN);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => matchMedia(NARROW_SCREEN).matches,
  );
}

export function useTableLayout<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[], usual: string) {
  const [get, set] = useAddress();
  const isNarrow = useIsNarrow();
  const asked = get("sort") || usual;
  const isDown = asked.startsWith("-");
  const by = isDown ? asked.slice(1) : asked;
  const askedColumns = get("columns");
  const visible = useMemo(() => visibleColumns(columns, askedColumns, isNarrow), [columns, askedColumns, isNarrow]);
  const ordered = useMemo(
    () =>
      sortRows(
        rows,
        columns.find(({ id }) => id === by),
        isDown,
      ),
    [rows, columns, by, isDown],
  );
  return {
    visible,
    ordered,
    sort: { by, isDown },
    onSort: (by: string, isDown: boolean) => set({ sort: isDown ? `-${by}` : by }),
    onColumns: (ids: string[] | undefined) => set({ columns: ids?.join(",") }),
  };
}

/** The ticked rows; `order` has the keys of all rows in their order. */
export function useTickedRows(order: readonly string[]) {
  const [selection, setSelection] = useState<Selection>(EMPTY_SELECTION);
  useEffect(() => setSelection((now) => withoutMissingRows(now, order)), [order]);
  return {
    keys: selection.keys,
    toggle: useCallback((key: string) => setSelection((now) => toggleRow(now, key)), []),
    extend: (key: string) => setSelection((now) => extendToRow(now, key, order)),
    /** A range with the Shift key begins at the current row, if no row was ticked before. */
    startRange: (key: string) => setSelection((now) => (now.anchor === undefined ? { ...now, anchor: key } : now)),
    tickAll: () => setSelection((now) => ({ ...now, keys: new Set(order) })),
    untickAll: () => setSelection(EMPTY_SELECTION),
  };
}
