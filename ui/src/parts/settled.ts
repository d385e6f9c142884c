/** A value that somebody is still typing, once they pause. */

import { useEffect, useState } from "react";

const PAUSE_MS = 300;

export function useSettled<T>(value: T): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
