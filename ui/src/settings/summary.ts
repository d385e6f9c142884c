/** A period of a record in the language of the desk, such as "3 weeks". */

import type { Formats } from "../words/index.tsx";
import type { SettingRecord } from "./kind.ts";

export function periodText(period: unknown, formats: Formats): string {
  const { duration, intervalId } = (period ?? {}) as SettingRecord;
  return duration === undefined ? "" : formats.period(`${duration} ${String(intervalId).toLowerCase()}`);
}
