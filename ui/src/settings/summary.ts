/** A period of a record, as the language writes it. */

import type { Formats } from "../words/index.tsx";
import type { Stored } from "./kind.ts";

export function inWordsOf(period: unknown, formats: Formats): string {
  const { duration, intervalId } = (period ?? {}) as Stored;
  return duration === undefined ? "" : formats.period(`${duration} ${String(intervalId).toLowerCase()}`);
}
