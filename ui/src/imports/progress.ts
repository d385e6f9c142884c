/** How far a job is, and how long the rest will take, from what was seen of it. Pure. */

import type { Job } from "../api/imports.ts";

/** How many records were done at an instant, in milliseconds. */
export interface Seen {
  at: number;
  done: number;
}

/** Only what was seen lately tells how fast a job is. */
const WINDOW_MS = 60_000;
/** A shorter time tells nothing. */
const LEAST_MS = 4_000;

export const WAITING = ["NEW", "FILE_UPLOADED"];
export const RUNNING = [
  "FILE_UPLOADED",
  "PARSING_IN_PROGRESS",
  "PARSING_FINISHED",
  "PROCESSING_IN_PROGRESS",
  "PROCESSING_FINISHED",
  "COMMIT_IN_PROGRESS",
];
export const ENDED = ["COMMITTED", "ERROR", "CANCELLED"];

export const hasEnded = ({ status }: Pick<Job, "status">) => ENDED.includes(status) || status === "DISCARDED";

/** The share of the records that are done, from 0 to 1; nothing while their number is not known. */
export function share({ progress }: Pick<Job, "progress">): number | undefined {
  const { current = 0, total = 0 } = progress ?? {};
  return total > 0 ? Math.min(1, current / total) : undefined;
}

export function seen(before: readonly Seen[], now: Seen): Seen[] {
  const last = before.at(-1);
  // A job that begins anew, after a restart of the server, is measured anew.
  if (last !== undefined && now.done < last.done) return [now];
  return [...before.filter(({ at }) => now.at - at <= WINDOW_MS), now];
}

export function secondsLeft(all: readonly Seen[], total: number): number | undefined {
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const [took, done] = [last.at - first.at, last.done - first.done];
  if (took < LEAST_MS || done <= 0 || last.done >= total) return undefined;
  return Math.ceil(((total - last.done) * took) / done / 1000);
}

/** In the unit in which somebody would say it. */
export function inUnits(seconds: number): { unit: "second" | "minute" | "hour"; count: number } {
  if (seconds < 90) return { unit: "second", count: seconds < 10 ? seconds : Math.ceil(seconds / 5) * 5 };
  if (seconds < 5_400) return { unit: "minute", count: Math.round(seconds / 60) };
  return { unit: "hour", count: Math.round(seconds / 3_600) };
}
