/** Measures the time from a scan to its answer on the screen. A test requires that it is below 50 ms. */

import { useLayoutEffect, useRef } from "react";

export const SCAN_MEASURE = "scan to answer";

export function startScanMeasure(key: string): void {
  performance.mark(`${SCAN_MEASURE} ${key}`);
}

/** Used in the row of a scan: measures once, when the row with the answer is in the page, before it is painted. */
export function useScanMeasure(key: string, answered: boolean): void {
  const measured = useRef(answered);
  useLayoutEffect(() => {
    if (!answered || measured.current) return;
    measured.current = true;
    const start = `${SCAN_MEASURE} ${key}`;
    if (performance.getEntriesByName(start).length > 0) performance.measure(SCAN_MEASURE, start);
  }, [key, answered]);
}
