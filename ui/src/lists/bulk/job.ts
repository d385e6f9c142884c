/**
 * A job changes many records, one after the other. The job and its state are kept in the browser's tab (session
 * storage), so that a reload, a lost connection or an expired sign-in loses nothing. A change whose answer was lost is
 * looked up before it is repeated.
 */

import { type Refusal, Refused, SignedOut, Unreachable } from "../../api/http.ts";
import { store } from "../../shell/store.ts";
import { ChangedSince } from "./items.ts";
import { type BulkOrder, carryOut, isCarriedOut, type OrderResult } from "./orders.ts";

export type EntryState =
  | { is: "waiting" }
  /** The change may have been sent; no answer has come. */
  | { is: "kept" }
  | { is: "done"; answer: OrderResult }
  | { is: "refused"; refusals: Refusal[]; status: number }
  /** Not undone, because somebody has changed the record since. */
  | { is: "changedSince" };

export interface JobEntry {
  /** Text that names the record for the user: title and patron. */
  label: string;
  barcode: string;
  order: BulkOrder;
}

export interface Job {
  title: string;
  /** Tenant and user id: nobody else sees or continues the job. */
  owner: string;
  entries: JobEntry[];
  states: EntryState[];
  isStopped: boolean;
}

const STORAGE_KEY = "octavo.bulk";
const RETRY_MS = 2_000;
const WRITE_DELAY_MS = 1_000;
const WAITING: EntryState = { is: "waiting" };

export const job = store<Job | null>(null);

/** Whether the server cannot be reached now. */
export const isOffline = store(false);

export const isOpenState = ({ is }: EntryState) => is === "waiting" || is === "kept";
export const countOpen = ({ states }: Job) => states.filter(isOpenState).length;

/**
 * Whether this user has a job that has to end before another begins. Another user's job, which is not shown, does not
 * count.
 */
export const isBusy = (now: Job | null, owner: string) => now?.owner === owner && countOpen(now) > 0;

let isRunning = false;
let writeTimer: ReturnType<typeof setTimeout> | undefined;

export function startJob(title: string, owner: string, entries: JobEntry[]): void {
  job.set({ title, owner, entries, states: entries.map(() => WAITING), isStopped: false });
  saveToSession("at", -1);
  saveToSession("entries", { title, owner, entries });
  saveStates();
  void runJob();
}

export function stopJob(): void {
  job.set((now) => now && { ...now, isStopped: true });
}

export function resumeJob(): void {
  job.set((now) => now && { ...now, isStopped: false });
  void runJob();
}

export function clearJob(): void {
  job.set(null);
  for (const part of ["entries", "states", "at"]) sessionStorage.removeItem(`${STORAGE_KEY}.${part}`);
}

/** Sends the refused changes once more. */
export function retryRefused(): void {
  job.set((now) => now && { ...now, states: now.states.map((state) => (state.is === "refused" ? WAITING : state)) });
  resumeJob();
}

/** Starts a job that undoes the changes of this one, in reverse order. */
export function undoJob(title: string): void {
  const now = job.get();
  if (now === null) return;
  const back = now.entries.flatMap((entry, index) => {
    const state = now.states[index];
    const order = state?.is === "done" ? state.answer.undo : undefined;
    return order ? [{ ...entry, order }] : [];
  });
  startJob(title, now.owner, back.reverse());
}

async function runJob(): Promise<void> {
  if (isRunning) return;
  isRunning = true;
  for (let now = job.get(); now !== null && !now.isStopped; now = job.get()) {
    const index = now.states.findIndex(isOpenState);
    const entry = now.entries[index];
    const state = now.states[index];
    if (entry === undefined || state === undefined) break;
    saveToSession("at", index);
    const next = await runEntry(entry.order, state.is === "kept");
    setEntryState(now, index, next);
    isOffline.set(next.is === "kept");
    if (next.is === "kept") await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  isRunning = false;
  saveStates();
}

async function runEntry(order: BulkOrder, mayBeDone: boolean): Promise<EntryState> {
  try {
    if (mayBeDone && (await isCarriedOut(order))) return { is: "done", answer: {} };
    return { is: "done", answer: await carryOut(order) };
  } catch (error) {
    if (error instanceof Unreachable) return { is: "kept" };
    if (error instanceof ChangedSince) return { is: "changedSince" };
    if (error instanceof Refused) return { is: "refused", refusals: error.refusals, status: error.status };
    // Another user is signed in now: the job must not go on under their name.
    if (error instanceof SignedOut) {
      stopJob();
      return { is: "kept" };
    }
    return { is: "refused", refusals: [{ message: String(error) }], status: 0 };
  }
}

function setEntryState(of: Job, index: number, state: EntryState): void {
  job.set((now) => (now?.entries === of.entries ? { ...now, states: now.states.with(index, state) } : now));
  writeTimer ??= setTimeout(saveStates, WRITE_DELAY_MS);
}

function saveStates(): void {
  clearTimeout(writeTimer);
  writeTimer = undefined;
  const now = job.get();
  if (now) saveToSession("states", now.states);
}

function saveToSession(part: string, value: unknown): void {
  try {
    sessionStorage.setItem(`${STORAGE_KEY}.${part}`, JSON.stringify(value));
  } catch {
    // The storage is full: the job goes on, but only while the page is open.
  }
}

/** Restores the job that a reload interrupted. It waits until the user presses "Resume". */
export function restoreJob(): void {
  if (job.get() !== null) return;
  try {
    const kept = JSON.parse(sessionStorage.getItem(`${STORAGE_KEY}.entries`) ?? "null") as Omit<Job, "states"> | null;
    if (kept === null) return;
    const known = JSON.parse(sessionStorage.getItem(`${STORAGE_KEY}.states`) ?? "[]") as EntryState[];
    const at = Number(sessionStorage.getItem(`${STORAGE_KEY}.at`) ?? -1);
    const states = kept.entries.map((_, index): EntryState => {
      const state = known[index] ?? WAITING;
      // The change may have been sent after the states were last saved.
      return state.is === "waiting" && index <= at ? { is: "kept" } : state;
    });
    job.set({ ...kept, states, isStopped: states.some(isOpenState) });
  } catch {
    clearJob();
  }
}
