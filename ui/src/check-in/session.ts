/** What comes back over the desk, one after the other. */

import { all, is } from "../api/cql.ts";
import { ask } from "../api/http.ts";
import { list } from "../api/list.ts";
import type { CheckedIn } from "../api/records.ts";
import { markScan } from "../scanning/measure.ts";
import { PATIENCE_MS, type Scan, scanQueue } from "../scanning/queue.ts";
import { announce, type Signal, sound } from "../scanning/signals.tsx";
import { place } from "../shell/session.ts";
import { store } from "../shell/store.ts";

export interface Order {
  servicePointId: string;
  checkInDate: string;
  claimedReturnedResolution?: (typeof RESOLUTIONS)[number];
}

/** Who was right about an item that its borrower claims to have returned. */
export const RESOLUTIONS = ["Found by library", "Returned by patron"] as const;

export type Returned = Scan<Order, CheckedIn>;

/** One at a time: whatever has come back lies on it. */
const PILE = "pile";

let tell: (scan: Returned) => string = ({ barcode }) => barcode;
export function tellWith(teller: typeof tell): void {
  tell = teller;
}

export const returning = scanQueue<Order, CheckedIn>({
  name: "octavo.check-in.scans",
  // Checked in twice is checked in: an answer that was lost on the way is simply asked for again.
  send: ({ barcode, order }) =>
    ask<CheckedIn>("/circulation/check-in-by-barcode", {
      method: "POST",
      body: { itemBarcode: barcode, ...order },
      patience: PATIENCE_MS,
    }),
  answered: (scan) => {
    sound(scan.state.is === "done" ? SIGNALS[destination(scan.state.answer).is] : "badly");
    announce(tell(scan));
  },
});

/** What is heard of where an item goes; a status that no shelf is for sounds like a refusal. */
const SIGNALS: Record<Destination["is"], Signal> = {
  shelf: "well",
  hold: "hold",
  delivery: "hold",
  transit: "transit",
  other: "badly",
};

/** When what is scanned now has come back, if not now: the box of the night, say. */
export const backdate = store<{ to?: string }>({});

/** What was checked in with the pile before, for a receipt that is asked for late. */
export const pastPile = store<Returned[]>([]);

export function takeBack(barcode: string): void {
  const { servicePoint } = place.get();
  if (servicePoint === undefined) return;
  pastPile.set([]);
  const at = new Date().toISOString();
  const order = { servicePointId: servicePoint, checkInDate: backdate.get().to ?? at };
  returning.add({ barcode, at, order, visit: PILE, state: { is: "waiting" } });
  markScan(returning.scans.get().at(-1)?.key ?? "");
}

export type Destination = { is: "shelf" | "hold" | "transit" | "delivery" | "other"; name: string };

/** Where an item goes from the desk, and to whose shelf. */
export function destination({ item, staffSlipContext }: CheckedIn): Destination {
  const status = item?.status?.name ?? "";
  switch (status) {
    case "Available":
      return { is: "shelf", name: item?.location?.name ?? "" };
    case "Awaiting pickup":
      return { is: "hold", name: requester(staffSlipContext?.requester) };
    case "Awaiting delivery":
      return { is: "delivery", name: requester(staffSlipContext?.requester) };
    case "In transit":
      return {
        is: "transit",
        name: item?.inTransitDestinationServicePoint?.name ?? staffSlipContext?.item?.toServicePoint ?? "",
      };
    default:
      return { is: "other", name: status };
  }
}

function requester(person: Record<string, string | null | undefined> | undefined): string {
  return [person?.lastName, person?.preferredFirstName ?? person?.firstName].filter(Boolean).join(", ");
}

/** What is owed for a loan that has just ended. */
export async function owedFor(loanId: string): Promise<number> {
  const query = all(is("loanId", loanId), is("status.name", "Open"));
  const { accounts } = await list("/accounts", { query, limit: 100 });
  return accounts.reduce((sum, { remaining }) => sum + remaining, 0);
}

/** Ends the pile of returned items: patron notices that wait for its end can be sent. */
export async function endPile(): Promise<void> {
  const done = returning.scans.get().filter(({ state }) => state.is === "done");
  const loans = done.flatMap(({ state }) => (state.is === "done" ? (state.answer.loan ?? []) : []));
  pastPile.set(done);
  const borrowers = [...new Set(loans.flatMap(({ userId }) => userId ?? []))];
  returning.clear(PILE);
  backdate.set({});
  if (borrowers.length === 0) return;
  await ask("/circulation/end-patron-action-session", {
    method: "POST",
    body: { endSessions: borrowers.map((patronId) => ({ patronId, actionType: "Check-in" })) },
  });
}
