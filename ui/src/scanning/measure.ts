/** From the scan to its answer on the screen, as the browser measures it. A test holds it below 50 ms. */

import { useLayoutEffect, useRef } from "react";

export const SCAN = "scan to answer";

export function markScan(key: string): void {
  performance.mark(`${SCAN} ${key}`);
}

/** In the row of a scan: measures once, when the row with the answer is in the page and about to be painted. */
export function useAnswerMeasured(key: string, answered: boolean): void {
  const measured = useRef(answered);
  useLayoutEffect(() => {
    if (!answered || measured.current) return;
    measured.current = true;
    const start = `${SCAN} ${key}`;
    if (performance.getEntriesByName(start).length > 0) performance.measure(SCAN, start);
  }, [key, answered]);
}
