/** The pile of returned items at check-in. */

import { and, equals, sortBy } from "../api/cql.ts";
import { ask, Refused } from "../api/http.ts";
import { list } from "../api/list.ts";
import type { CheckInResult, Loan } from "../api/records.ts";
import { startScanMeasure } from "../scanning/measure.ts";
import { ANSWER_TIMEOUT_MS, type Scan, scanQueue } from "../scanning/queue.ts";
import { announce, playSignal, type Signal } from "../scanning/signals.tsx";
import { workplace } from "../shell/session.ts";
import { store } from "../shell/store.ts";

export interface CheckInOrder {
  servicePointId: string;
  checkInDate: string;
  claimedReturnedResolution?: (typeof RESOLUTIONS)[number];
}

/** The resolutions of an item that its borrower claims to have returned, as FOLIO names them. */
export const RESOLUTIONS = ["Found by library", "Returned by patron"] as const;

export type CheckInScan = Scan<CheckInOrder, CheckInResult>;

/** There is one pile at a time; it is the `visit` of all scans at check-in. */
const PILE_ID = "pile";

let describeResult: (scan: CheckInScan) => string = ({ barcode }) => barcode;
export function setResultDescriber(teller: typeof describeResult): void {
  describeResult = teller;
}

/** When the answers arrived, as timestamps in milliseconds. Answers from before a reload are not included. */
const answerTimes = new WeakMap<CheckInResult, number>();

/**
 * Whether the answer arrived in the last minute and since the page was loaded, so that sounds and slips are not repeated
 * after a reload. The scan may be much older: after an outage it is sent late.
 */
export const isJustAnswered = (answer: CheckInResult) => Date.now() - (answerTimes.get(answer) ?? 0) < 60_000;

export const checkIns = scanQueue<CheckInOrder, CheckInResult>({
  name: "octavo.check-in.scans",
  // A scan whose answer was lost is sent again. If it was carried out the first time, the second answer lacks the loan.
  send: async ({ barcode, order, at }, mayBeDone) => {
    const answer = await ask<CheckInResult>("/circulation/check-in-by-barcode", {
      method: "POST",
      body: { itemBarcode: barcode, ...order },
      timeoutMs: ANSWER_TIMEOUT_MS,
    });
    const ended = mayBeDone && answer.loan === undefined ? await findLoanEndedSince(at, answer.item?.id) : undefined;
    const whole = ended === undefined ? answer : { ...answer, loan: ended, inHouseUse: false };
    answerTimes.set(whole, Date.now());
    return whole;
  },
  onAnswered: (scan) => {
    playSignal(scan.state.is === "done" ? DESTINATION_SIGNALS[findDestination(scan.state.answer).is] : "badly");
    announce(describeResult(scan));
  },
});

/** The loan of an item that an earlier attempt has ended, if its answer was lost. */
async function findLoanEndedSince(at: string, itemId: string | undefined): Promise<Loan | undefined> {
  if (itemId === undefined) return undefined;
  try {
    const closed = and(equals("itemId", itemId), equals("status.name", "Closed"));
    const query = sortBy(closed, "systemReturnDate/sort.descending");
    const [last] = (await list("/circulation/loans", { query, limit: 1 })).loans;
    // Allows a minute of difference between the clocks of desk and server.
    const since = Date.parse(at) - 60_000;
    return Date.parse(last?.systemReturnDate ?? "") > since ? last : undefined;
  } catch (error) {
    // Staff who may not read loans check in without them.
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** The sound for each destination of an item; a status without a shelf sounds like a refusal. */
const DESTINATION_SIGNALS: Record<Destination["is"], Signal> = {
  shelf: "well",
  hold: "hold",
  delivery: "hold",
  transit: "transit",
  other: "badly",
};

/** The return date of what is scanned, if it is not now, e.g. for items from a book drop. */
export const backdate = store<{ to?: string }>({});

/** The scans of the previous pile, for a receipt that is asked for late. */
export const pastPile = store<CheckInScan[]>([]);

export function addReturn(barcode: string): void {
  const { servicePoint } = workplace.get();
  if (servicePoint === undefined) return;
  pastPile.set([]);
  const at = new Date().toISOString();
  const order = { servicePointId: servicePoint, checkInDate: backdate.get().to ?? at };
  checkIns.add({ barcode, at, order, visit: PILE_ID, state: { is: "waiting" } });
  startScanMeasure(checkIns.scans.get().at(-1)?.key ?? "");
}

export type Destination = { is: "shelf" | "hold" | "transit" | "delivery" | "other"; name: string };

/** Where a returned item goes: its status, and the location, patron or service point. */
export function findDestination({ item, staffSlipContext }: CheckInResult): Destination {
  const status = item?.status?.name ?? "";
  switch (status) {
    case "Available":
      return { is: "shelf", name: item?.location?.name ?? "" };
    case "Awaiting pickup":
      return { is: "hold", name: requesterName(staffSlipContext?.requester) };
    case "Awaiting delivery":
      return { is: "delivery", name: requesterName(staffSlipContext?.requester) };
    case "In transit":
      return {
        is: "transit",
        name: item?.inTransitDestinationServicePoint?.name ?? staffSlipContext?.item?.toServicePoint ?? "",
      };
    default:
      return { is: "other", name: status };
  }
}

function requesterName(person: Record<string, string | null | undefined> | undefined): string {
  return [person?.lastName, person?.preferredFirstName ?? person?.firstName].filter(Boolean).join(", ");
}

/** The amount of the open fees/fines for a loan that has just ended. */
export async function loadFeesOwed(loanId: string): Promise<number> {
  const query = and(equals("loanId", loanId), equals("status.name", "Open"));
  const { accounts } = await list("/accounts", { query, limit: 100 });
  return accounts.reduce((sum, { remaining }) => sum + remaining, 0);
}

/** Ends the pile of returned items, so that patron notices that wait for its end are sent. */
export async function endPile(): Promise<void> {
  const done = checkIns.scans.get().filter(({ state }) => state.is === "done");
  const loans = done.flatMap(({ state }) => (state.is === "done" ? (state.answer.loan ?? []) : []));
  pastPile.set(done);
  const borrowers = [...new Set(loans.flatMap(({ userId }) => userId ?? []))];
  checkIns.clear(PILE_ID);
  backdate.set({});
  if (borrowers.length === 0) return;
  await ask("/circulation/end-patron-action-session", {
    method: "POST",
    body: { endSessions: borrowers.map((patronId) => ({ patronId, actionType: "Check-in" })) },
  });
}
