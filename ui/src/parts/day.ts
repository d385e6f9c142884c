/** Days as date fields have them, such as `2026-11-22`. */

import { parseDate } from "@internationalized/date";

/** Whether a text is such a day: it comes from an address, where people can write anything. */
export function isDay(text: string): boolean {
  try {
    return parseDate(text) !== undefined;
  } catch {
    return false;
  }
}
