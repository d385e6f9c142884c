/**
 * What was scanned, in order. One scan is sent at a time, so what comes first is done first; a scan that could not be sent
 * stays at the head until it can. Kept in the browser's tab, so that a reload loses nothing.
 */

import { type Refusal, Refused, SignedOut, Unreachable } from "../api/http.ts";
import { type Store, store } from "../shell/store.ts";
import { keepSafe, takeOver } from "./safe.ts";

export type ScanState<Answer> =
  | { is: "waiting" }
  | { is: "working" }
  /** Sent, perhaps, but not answered: it may have been done. */
  | { is: "kept" }
  | { is: "done"; answer: Answer }
  | { is: "refused"; refusals: Refusal[]; status: number }
  | { is: "undone"; answer: Answer };

export interface Scan<Order, Answer> {
  key: string;
  barcode: string;
  at: string;
  order: Order;
  /** The visit or pile that it belongs to, which may be over before it is sent. */
  visit: string;
  state: ScanState<Answer>;
  /** The due date that was told before there was an answer. */
  told?: string | undefined;
}

export interface ScanQueue<Order, Answer> {
  scans: Store<Scan<Order, Answer>[]>;
  add: (barcode: string, order: Order, visit: string) => void;
  /** Sends a refused scan again, perhaps with another order. */
  again: (key: string, order?: Order) => void;
  tell: (key: string, told: string | undefined) => void;
  settle: (key: string, state: ScanState<Answer>) => void;
  remove: (key: string) => void;
  /** Forgets what is over of a visit; what is still to be sent stays. */
  clear: (visit: string) => void;
}

interface Work<Order, Answer> {
  name: string;
  send: (scan: Scan<Order, Answer>, mayBeDone: boolean) => Promise<Answer>;
  /** A scan was answered, well or not. */
  answered: (scan: Scan<Order, Answer>) => void;
}

const RETRY_MS = 2_000;

export function scanQueue<Order, Answer>({ name, send, answered }: Work<Order, Answer>): ScanQueue<Order, Answer> {
  const scans = store<Scan<Order, Answer>[]>([], { name, in: () => sessionStorage });
  // What was under way when the page went may have been done.
  const maybe = (scan: Scan<Order, Answer>): Scan<Order, Answer> =>
    scan.state.is === "working" ? { ...scan, state: { is: "kept" } } : scan;
  scans.set((all) => all.map(maybe));
  scans.follow(() => keepSafe(name, scans.get().filter(isPending)));
  let working = false;

  const settle = (key: string, state: ScanState<Answer>) =>
    scans.set((all) => all.map((scan) => (scan.key === key ? { ...scan, state } : scan)));

  const work = async () => {
    if (working) return;
    working = true;
    let next = scans.get().find(isPending);
    while (next !== undefined) {
      const mayBeDone = next.state.is === "kept";
      settle(next.key, { is: "working" });
      const state = await outcome(next, mayBeDone);
      settle(next.key, state);
      if (state.is === "kept") {
        setTimeout(work, RETRY_MS);
        break;
      }
      answered({ ...next, state });
      next = scans.get().find(isPending);
    }
    working = false;
  };

  const outcome = async (scan: Scan<Order, Answer>, mayBeDone: boolean): Promise<ScanState<Answer>> => {
    try {
      return { is: "done", answer: await send(scan, mayBeDone) };
    } catch (error) {
      if (error instanceof Unreachable || error instanceof SignedOut) return { is: "kept" };
      if (error instanceof Refused) return { is: "refused", refusals: error.refusals, status: error.status };
      return { is: "refused", refusals: [{ message: String(error) }], status: 0 };
    }
  };

  if (typeof window !== "undefined") window.addEventListener("online", () => void work());
  // After a reload, and after a browser that was closed: what is not sent yet goes out.
  void takeOver<Scan<Order, Answer>>(name).then((left) => {
    const known = new Set(scans.get().map(({ key }) => key));
    scans.set((all) => [...left.filter(({ key }) => !known.has(key)).map(maybe), ...all]);
    void work();
  });

  return {
    scans,
    settle,
    tell: (key, told) => scans.set((all) => all.map((scan) => (scan.key === key ? { ...scan, told } : scan))),
    add: (barcode, order, visit) => {
      const scan: Scan<Order, Answer> = {
        key: crypto.randomUUID(),
        barcode,
        at: new Date().toISOString(),
        order,
        visit,
        state: { is: "waiting" },
      };
      scans.set((all) => [...all, scan]);
      void work();
    },
    again: (key, order) => {
      scans.set((all) =>
        all.map((scan) =>
          scan.key === key ? { ...scan, order: order ?? scan.order, state: { is: "waiting" } } : scan,
        ),
      );
      void work();
    },
    remove: (key) => scans.set((all) => all.filter((scan) => scan.key !== key)),
    clear: (visit) => scans.set((all) => all.filter((scan) => scan.visit !== visit || isPending(scan))),
  };
}

export function isPending({ state }: { state: ScanState<unknown> }): boolean {
  return state.is === "waiting" || state.is === "working" || state.is === "kept";
}
