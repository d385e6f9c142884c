/** What of a table is kept, and where: order and columns in the address, ticks in the page. */

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useAddress } from "../search-line.tsx";
import { shown, sorted, type TableColumn } from "./column.ts";
import { extended, NOTHING, present, type Selection, toggled } from "./selection.ts";

const NARROW = "(max-width: 40rem)";

function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = matchMedia(NARROW);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    () => matchMedia(NARROW).matches,
  );
}

export function useArrangement<Row>(rows: readonly Row[], columns: readonly TableColumn<Row>[], usual: string) {
  const [get, set] = useAddress();
  const isNarrow = useIsNarrow();
  const asked = get("sort") || usual;
  const isDown = asked.startsWith("-");
  const by = isDown ? asked.slice(1) : asked;
  const askedColumns = get("columns");
  const visible = useMemo(() => shown(columns, askedColumns, isNarrow), [columns, askedColumns, isNarrow]);
  const ordered = useMemo(
    () =>
      sorted(
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

/** What is ticked of these rows, which are named by their keys in their order. */
export function useTicks(order: readonly string[]) {
  const [selection, setSelection] = useState<Selection>(NOTHING);
  useEffect(() => setSelection((now) => present(now, order)), [order]);
  return {
    keys: selection.keys,
    toggle: useCallback((key: string) => setSelection((now) => toggled(now, key)), []),
    extend: (key: string) => setSelection((now) => extended(now, key, order)),
    /** One walks on with shift: the range begins where one is. */
    begin: (key: string) => setSelection((now) => (now.anchor === undefined ? { ...now, anchor: key } : now)),
    all: () => setSelection((now) => ({ ...now, keys: new Set(order) })),
    none: () => setSelection(NOTHING),
  };
}
