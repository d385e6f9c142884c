/** Ends a visit after some time without a key or click, so that nothing is checked out to the previous patron. */

import { useEffect, useRef } from "react";

const MINUTE_MS = 60_000;

export function useIdleTimeout(minutes: number | undefined, end: () => void): void {
  const latest = useRef(end);
  latest.current = end;
  useEffect(() => {
    if (minutes === undefined) return;
    let timer = 0;
    const wait = () => {
      clearTimeout(timer);
      // A visit that cannot end yet, because a scan is being sent, is tried again after the same time.
      timer = window.setTimeout(() => {
        latest.current();
        wait();
      }, minutes * MINUTE_MS);
    };
    const signs = ["keydown", "pointerdown"];
    for (const sign of signs) document.addEventListener(sign, wait, true);
    wait();
    return () => {
      clearTimeout(timer);
      for (const sign of signs) document.removeEventListener(sign, wait, true);
    };
  }, [minutes]);
}
