/** Explains the errors of a calendar; the server sends all at once, by codes. */

import { Refused } from "../../api/http.ts";
import type { SettingsWords } from "../words/en.ts";
import type { Exception, NormalHours } from "./record.ts";
import type { Times } from "./times.ts";

interface Defect {
  message: string;
  code?: string;
  data?: { conflicts?: (NormalHours | Exception)[]; conflictingServicePointIds?: string[]; range?: Exception };
}

export function defectsOf(
  error: unknown,
  words: SettingsWords["calendar"],
  times: Times,
  namesOf: (ids: readonly string[]) => string[],
): string[] {
  if (!(error instanceof Refused) || error.status === 403 || error.status >= 500) return [];
  return (error.refusals as Defect[]).map(({ code, message, data = {} }) => {
    const { conflicts = [], conflictingServicePointIds: points = [], range } = data;
    switch (code) {
      case "calendarDateOverlap":
        return words.defects.overlap(namesOf(points), quotedName(message));
      case "calendarInvalidNormalOpenings":
        return words.defects.hours((conflicts as NormalHours[]).map((hours) => openingText(hours, times)));
      case "calendarInvalidExceptions":
        return words.defects.exceptions((conflicts as Exception[]).map(({ name }) => name));
      case "calendarInvalidExceptionName":
        return words.defects.exceptionName;
      case "calendarInvalidExceptionDateOrder":
        return words.defects.exceptionOrder(range?.name ?? quotedName(message) ?? "");
      case "calendarInvalidExceptionDateBoundary":
        return words.defects.exceptionOutside(range?.name ?? quotedName(message) ?? "");
      case "calendarInvalidExceptionOpenings":
      case "calendarInvalidExceptionOpeningBoundary":
        return words.defects.exceptionHours(quotedName(message) ?? "");
      case "calendarNoName":
        return words.defects.name;
      case "calendarInvalidDateRange":
        return words.defects.order;
      default:
        return message;
    }
  });
}

const quotedName = (message: string) => /“([^”]*)”/.exec(message)?.[1];

const openingText = ({ startDay, startTime, endDay, endTime }: NormalHours, times: Times) => {
  const hours = times.hours({ start: startTime, end: endTime });
  return startDay === endDay
    ? `${times.weekday(startDay)} ${hours}`
    : `${times.weekday(startDay)} – ${times.weekday(endDay)} ${hours}`;
};
