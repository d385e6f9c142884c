/**
 * Many records changed one after the other. What is to be done and how far it is stand in the browser's tab: a reload, a lost
 * connection and a sign-in that has run out lose nothing. What may have been done while its answer was lost is looked up first.
 */

import { type Refusal, Refused, SignedOut, Unreachable } from "../../api/http.ts";
import { store } from "../../shell/store.ts";
import { ChangedSince } from "./items.ts";
import { type Answer, carriedOut, isCarriedOut, type Order } from "./orders.ts";

export type State =
  | { is: "waiting" }
  /** Sent, perhaps, and not answered. */
  | { is: "kept" }
  | { is: "done"; answer: Answer }
  | { is: "refused"; refusals: Refusal[]; status: number }
  /** Not put back: somebody has changed the record since. */
  | { is: "changedSince" };

export interface Entry {
  /** What it is about, for people. */
  label: string;
  barcode: string;
  order: Order;
}

export interface Job {
  title: string;
  /** The library and the user whose work it is. */
  owner: string;
  entries: Entry[];
  states: State[];
  isStopped: boolean;
}

const NAME = "octavo.bulk";
const RETRY_MS = 2_000;
const WRITE_MS = 1_000;
const WAITING: State = { is: "waiting" };

export const job = store<Job | null>(null);

/** Whether the server cannot be reached at the moment. */
export const isOffline = store(false);

export const isOpen = ({ is }: State) => is === "waiting" || is === "kept";
export const left = ({ states }: Job) => states.filter(isOpen).length;

let working = false;
let writing: ReturnType<typeof setTimeout> | undefined;

export function begin(title: string, owner: string, entries: Entry[]): void {
  job.set({ title, owner, entries, states: entries.map(() => WAITING), isStopped: false });
  sessionStorage.setItem(`${NAME}.at`, "-1");
  keep("entries", { title, owner, entries });
  write();
  void work();
}

export function stop(): void {
  job.set((now) => now && { ...now, isStopped: true });
}

export function goOn(): void {
  job.set((now) => now && { ...now, isStopped: false });
  void work();
}

export function forget(): void {
  job.set(null);
  for (const part of ["entries", "states", "at"]) sessionStorage.removeItem(`${NAME}.${part}`);
}

/** The refused ones once more. */
export function again(): void {
  job.set((now) => now && { ...now, states: now.states.map((state) => (state.is === "refused" ? WAITING : state)) });
  goOn();
}

/** Those that were done are put back, in the reverse order. */
export function undo(title: string): void {
  const now = job.get();
  if (now === null) return;
  const back = now.entries.flatMap((entry, index) => {
    const state = now.states[index];
    const order = state?.is === "done" ? state.answer.undo : undefined;
    return order ? [{ ...entry, order }] : [];
  });
  begin(title, now.owner, back.reverse());
}

async function work(): Promise<void> {
  if (working) return;
  working = true;
  for (let now = job.get(); now !== null && !now.isStopped; now = job.get()) {
    const index = now.states.findIndex(isOpen);
    const entry = now.entries[index];
    const state = now.states[index];
    if (entry === undefined || state === undefined) break;
    sessionStorage.setItem(`${NAME}.at`, String(index));
    const next = await outcome(entry.order, state.is === "kept");
    settle(now, index, next);
    isOffline.set(next.is === "kept");
    if (next.is === "kept") await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  working = false;
  write();
}

async function outcome(order: Order, mayBeDone: boolean): Promise<State> {
  try {
    if (mayBeDone && (await isCarriedOut(order))) return { is: "done", answer: {} };
    return { is: "done", answer: await carriedOut(order) };
  } catch (error) {
    if (error instanceof Unreachable) return { is: "kept" };
    if (error instanceof ChangedSince) return { is: "changedSince" };
    if (error instanceof Refused) return { is: "refused", refusals: error.refusals, status: error.status };
    // Somebody else has signed in: it is not done in their name.
    if (error instanceof SignedOut) {
      stop();
      return { is: "kept" };
    }
    return { is: "refused", refusals: [{ message: String(error) }], status: 0 };
  }
}

function settle(of: Job, index: number, state: State): void {
  job.set((now) => (now?.entries === of.entries ? { ...now, states: now.states.with(index, state) } : now));
  writing ??= setTimeout(write, WRITE_MS);
}

function write(): void {
  clearTimeout(writing);
  writing = undefined;
  const now = job.get();
  if (now) keep("states", now.states);
}

function keep(part: string, value: unknown): void {
  try {
    sessionStorage.setItem(`${NAME}.${part}`, JSON.stringify(value));
  } catch {
    // Storage is full: the work goes on as long as the page is open.
  }
}

/** What was under way when the page went. It goes on when somebody says so. */
export function recall(): void {
  if (job.get() !== null) return;
  try {
    const kept = JSON.parse(sessionStorage.getItem(`${NAME}.entries`) ?? "null") as Omit<Job, "states"> | null;
    if (kept === null) return;
    const known = JSON.parse(sessionStorage.getItem(`${NAME}.states`) ?? "[]") as State[];
    const at = Number(sessionStorage.getItem(`${NAME}.at`) ?? -1);
    const states = kept.entries.map((_, index): State => {
      const state = known[index] ?? WAITING;
      // Sent after the states were written the last time.
      return state.is === "waiting" && index <= at ? { is: "kept" } : state;
    });
    job.set({ ...kept, states, isStopped: states.some(isOpen) });
  } catch {
    forget();
  }
}
