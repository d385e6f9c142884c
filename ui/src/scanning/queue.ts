/**
 * The queue of scans. One scan is sent at a time, in the order of scanning; a scan that could not be sent stays at the
 * head until it can. The queue is kept in the tab's session storage, so that a reload loses nothing.
 */

import { type Refusal, Refused, SignedOut, Unreachable } from "../api/http.ts";
import type { User } from "../api/records.ts";
import { type Store, store } from "../shell/store.ts";
import { saveScans, takeOverScans } from "./safe.ts";

export type ScanState<Answer> =
  | { is: "waiting" }
  | { is: "working" }
  /** Perhaps sent, but not answered: the server may have carried it out. */
  | { is: "kept" }
  /** The barcode is a patron's card, or looks like one. Later scans wait until staff have said whose they are. */
  | { is: "card"; owner: User }
  | { is: "done"; answer: Answer }
  | { is: "refused"; refusals: Refusal[]; status: number }
  | { is: "undone"; answer: Answer };

export interface Scan<Order, Answer> {
  key: string;
  barcode: string;
  at: string;
  order: Order;
  /**
   * The visit of a patron or the pile of returned items that the scan belongs to, which may have ended before the scan
   * is sent.
   */
  visit: string;
  state: ScanState<Answer>;
  /** The expected due date that the patron was told before the server had answered. */
  told?: string | undefined;
}

/** Thrown by the function that sends a scan, if the barcode is a patron's card; see the state `card`. */
export class CardScanned extends Error {
  readonly owner: User;

  constructor(owner: User) {
    super();
    this.owner = owner;
  }
}

export interface ScanQueue<Order, Answer> {
  scans: Store<Scan<Order, Answer>[]>;
  add: (scan: Pick<Scan<Order, Answer>, "barcode" | "at" | "order" | "visit" | "state">) => void;
  /** Sends a refused scan again, optionally with a changed order. */
  resend: (key: string, order?: Order) => void;
  /** Changes the order of a scan for the next attempt. */
  changeOrder: (key: string, order: Order) => void;
  noteExpectedDue: (key: string, told: string | undefined) => void;
  settle: (key: string, state: ScanState<Answer>) => void;
  remove: (key: string) => void;
  /** Removes the card from the queue; what was scanned after it in its visit goes to another visit. */
  handOver: (card: string, visit: string, order: (order: Order) => Order) => void;
  /** Removes the finished scans of a visit; unsent ones stay. */
  clear: (visit: string) => void;
}

interface QueueOptions<Order, Answer> {
  name: string;
  send: (scan: Scan<Order, Answer>, mayBeDone: boolean) => Promise<Answer>;
  /** Called when a scan was answered, whether accepted or refused. */
  onAnswered: (scan: Scan<Order, Answer>) => void;
  /** Answered scans that staff still have to see are kept after a sign-out or a closed window, as unsent ones are. */
  isStillNeeded?: (scan: Scan<Order, Answer>) => boolean;
}

const RETRY_MS = 2_000;
/** A scan that has got no answer for so many milliseconds is sent again. */
export const ANSWER_TIMEOUT_MS = 20_000;

export function scanQueue<Order, Answer>({
  name,
  send,
  onAnswered,
  isStillNeeded = () => false,
}: QueueOptions<Order, Answer>): ScanQueue<Order, Answer> {
  const scans = store<Scan<Order, Answer>[]>([], { name, in: () => sessionStorage });
  // A scan that was being sent when the page was closed may have been carried out.
  const maybe = (scan: Scan<Order, Answer>): Scan<Order, Answer> =>
    scan.state.is === "working" ? { ...scan, state: { is: "kept" } } : scan;
  scans.set((all) => all.map(maybe));
  scans.subscribe(() =>
    saveScans(
      name,
      scans.get().filter((scan) => isPending(scan) || isStillNeeded(scan)),
    ),
  );
  let working = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const settle = (key: string, state: ScanState<Answer>) =>
    scans.set((all) => all.map((scan) => (scan.key === key ? { ...scan, state } : scan)));

  const work = async () => {
    if (working) return;
    working = true;
    let next = nextToSend(scans.get());
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
      onAnswered({ ...next, state });
      next = nextToSend(scans.get());
    }
    working = false;
  };

  const outcome = async (scan: Scan<Order, Answer>, mayBeDone: boolean): Promise<ScanState<Answer>> => {
    try {
      return { is: "done", answer: await send(scan, mayBeDone) };
    } catch (error) {
      if (error instanceof Unreachable || error instanceof SignedOut) return { is: "kept" };
      if (error instanceof CardScanned) return { is: "card", owner: error.owner };
      if (error instanceof Refused) return { is: "refused", refusals: error.refusals, status: error.status };
      return { is: "refused", refusals: [{ message: String(error) }], status: 0 };
    }
  };

  if (typeof window !== "undefined") window.addEventListener("online", () => void work());
  // After a reload, or after the browser was closed, unsent scans are sent. A scan that this tab had from the beginning
  // may have been removed by now, and does not come back.
  const atFirst = scans.get();
  void takeOverScans<Scan<Order, Answer>>(name).then((left) => {
    const known = new Set([...atFirst, ...scans.get()].map(({ key }) => key));
    scans.set((all) => [...left.filter(({ key }) => !known.has(key)).map(maybe), ...all]);
    void work();
  });

  return {
    scans,
    settle,
    changeOrder: (key, order) => scans.set((all) => all.map((scan) => (scan.key === key ? { ...scan, order } : scan))),
    noteExpectedDue: (key, told) =>
      scans.set((all) => all.map((scan) => (scan.key === key ? { ...scan, told } : scan))),
    add: (scan) => {
      scans.set((all) => [...all, { key: crypto.randomUUID(), ...scan }]);
      void work();
    },
    resend: (key, order) => {
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

/** The first scan that can be sent. In a visit, nothing after an unassigned patron's card is sent. */
function nextToSend<Order, Answer>(scans: Scan<Order, Answer>[]): Scan<Order, Answer> | undefined {
  const held = new Set<string>();
  return scans.find((scan) => {
    if (scan.state.is === "card") held.add(scan.visit);
    return isPending(scan) && !held.has(scan.visit);
  });
}
