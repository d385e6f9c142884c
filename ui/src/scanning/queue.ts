/**
 * What was scanned, in order. One scan is sent at a time, so what comes first is done first; a scan that could not be sent
 * stays at the head until it can. Kept in the browser's tab, so that a reload loses nothing.
 */

import { type Refusal, Refused, SignedOut, Unreachable } from "../api/http.ts";
import type { User } from "../api/records.ts";
import { type Store, store } from "../shell/store.ts";
import { keepSafe, takeOver } from "./safe.ts";

export type ScanState<Answer> =
  | { is: "waiting" }
  | { is: "working" }
  /** Sent, perhaps, but not answered: it may have been done. */
  | { is: "kept" }
  /** No item, but a patron's card, or so it seems. What was scanned after it waits until somebody has said whose it is. */
  | { is: "card"; owner: User }
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

/** Thrown where a scan is sent: see the state `card`. */
export class IsCard extends Error {
  readonly owner: User;

  constructor(owner: User) {
    super();
    this.owner = owner;
  }
}

export interface ScanQueue<Order, Answer> {
  scans: Store<Scan<Order, Answer>[]>;
  add: (scan: Pick<Scan<Order, Answer>, "barcode" | "at" | "order" | "visit" | "state">) => void;
  /** Sends a refused scan again, perhaps with another order. */
  again: (key: string, order?: Order) => void;
  /** With another order from the next attempt on. */
  reorder: (key: string, order: Order) => void;
  tell: (key: string, told: string | undefined) => void;
  settle: (key: string, state: ScanState<Answer>) => void;
  remove: (key: string) => void;
  /** The card goes; what was scanned after it in its visit belongs to another. */
  handOver: (card: string, visit: string, order: (order: Order) => Order) => void;
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
/** A scan that has got no answer for so long is sent again. */
export const PATIENCE_MS = 20_000;

export function scanQueue<Order, Answer>({ name, send, answered }: Work<Order, Answer>): ScanQueue<Order, Answer> {
  const scans = store<Scan<Order, Answer>[]>([], { name, in: () => sessionStorage });
  // What was under way when the page went may have been done.
  const maybe = (scan: Scan<Order, Answer>): Scan<Order, Answer> =>
    scan.state.is === "working" ? { ...scan, state: { is: "kept" } } : scan;
  scans.set((all) => all.map(maybe));
  scans.follow(() => keepSafe(name, scans.get().filter(isPending)));
  let working = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const settle = (key: string, state: ScanState<Answer>) =>
    scans.set((all) => all.map((scan) => (scan.key === key ? { ...scan, state } : scan)));

  const work = async () => {
    if (working) return;
    working = true;
    let next = nextOf(scans.get());
    while (next !== undefined) {
      const mayBeDone = next.state.is === "kept";
      settle(next.key, { is: "working" });
      const state = await outcome(next, mayBeDone);
      settle(next.key, state);
      if (state.is === "kept") {
        clearTimeout(retry);
        retry = setTimeout(work, RETRY_MS);
        break;
      }
      answered({ ...next, state });
      next = nextOf(scans.get());
    }
    working = false;
  };

  const outcome = async (scan: Scan<Order, Answer>, mayBeDone: boolean): Promise<ScanState<Answer>> => {
    try {
      return { is: "done", answer: await send(scan, mayBeDone) };
    } catch (error) {
      if (error instanceof Unreachable || error instanceof SignedOut) return { is: "kept" };
      if (error instanceof IsCard) return { is: "card", owner: error.owner };
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
    reorder: (key, order) => scans.set((all) => all.map((scan) => (scan.key === key ? { ...scan, order } : scan))),
    tell: (key, told) => scans.set((all) => all.map((scan) => (scan.key === key ? { ...scan, told } : scan))),
    add: (scan) => {
      scans.set((all) => [...all, { key: crypto.randomUUID(), ...scan }]);
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
    remove: (key) => {
      scans.set((all) => all.filter((scan) => scan.key !== key));
      void work();
    },
    handOver: (card, visit, order) => {
      const place = scans.get().findIndex(({ key }) => key === card);
      const from = scans.get()[place]?.visit;
      const isAfter = (scan: Scan<Order, Answer>, index: number) =>
        index > place && scan.visit === from && isPending(scan);
      scans.set((all) =>
        all
          .map((scan, index) => (isAfter(scan, index) ? { ...scan, visit, order: order(scan.order) } : scan))
          .filter(({ key }) => key !== card),
      );
      void work();
    },
    clear: (visit) => scans.set((all) => all.filter((scan) => scan.visit !== visit || isPending(scan))),
  };
}

const PENDING: ScanState<unknown>["is"][] = ["waiting", "working", "kept", "card"];

export function isPending({ state }: { state: ScanState<unknown> }): boolean {
  return PENDING.includes(state.is);
}

/** The first that can be sent: nothing of a visit after a card that belongs to nobody yet. */
function nextOf<Order, Answer>(scans: Scan<Order, Answer>[]): Scan<Order, Answer> | undefined {
  const held = new Set<string>();
  return scans.find((scan) => {
    if (scan.state.is === "card") held.add(scan.visit);
    return isPending(scan) && !held.has(scan.visit);
  });
}
