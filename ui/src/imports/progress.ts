/** The progress of a job, and an estimate of the remaining time from observed progress. Pure. */

import type { Job } from "../api/imports.ts";

/** Number of records done at an instant (in milliseconds). */
export interface ProgressSample {
  at: number;
  done: number;
}

/** Only the progress of the last minute is used for the estimate. */
const WINDOW_MS = 60_000;
/** The least time of observation for an estimate. */
const MIN_MS = 4_000;

export const WAITING_STATUSES = ["NEW", "FILE_UPLOADED"];
export const RUNNING_STATUSES = [
  "FILE_UPLOADED",
  "PARSING_IN_PROGRESS",
  "PARSING_FINISHED",
  "PROCESSING_IN_PROGRESS",
  "PROCESSING_FINISHED",
  "COMMIT_IN_PROGRESS",
];
export const ENDED_STATUSES = ["COMMITTED", "ERROR", "CANCELLED"];

export const hasEnded = ({ status }: Pick<Job, "status">) => ENDED_STATUSES.includes(status) || status === "DISCARDED";

/** The share of the records that are done, from 0 to 1; nothing while their number is not known. */
export function doneShare({ progress }: Pick<Job, "progress">): number | undefined {
  const { current = 0, total = 0 } = progress ?? {};
  return total > 0 ? Math.min(1, current / total) : undefined;
}

export function addSample(before: readonly ProgressSample[], now: ProgressSample): ProgressSample[] {
  const last = before.at(-1);
  // After a restart of the server a job begins again: former samples are dropped.
  if (last !== undefined && now.done < last.done) return [now];
  return [...before.filter(({ at }) => now.at - at <= WINDOW_MS), now];
}

export function secondsLeft(all: readonly ProgressSample[], total: number): number | undefined {
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const [took, done] = [last.at - first.at, last.done - first.done];
  if (took < MIN_MS || done <= 0 || last.done >= total) return undefined;
  return Math.ceil(((total - last.done) * took) / done / 1000);
}

/** Rounds the remaining time to seconds, minutes or hours. */
export function roundedDuration(seconds: number): { unit: "second" | "minute" | "hour"; count: number } {
  if (seconds < 90) return { unit: "second", count: seconds < 10 ? seconds : Math.ceil(seconds / 5) * 5 };
  if (seconds < 5_400) return { unit: "minute", count: Math.round(seconds / 60) };
  return { unit: "hour", count: Math.round(seconds / 3_600) };
}
