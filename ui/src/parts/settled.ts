/** The value of a field after the person typing has paused. */

import { useEffect, useState } from "react";

const DEBOUNCE_MS = 300;

export function useDebounced<T>(value: T): T {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
