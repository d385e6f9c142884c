/** The visit of a patron at the desk, from their card to the end of the session, and the items that they borrow. */

import { and, equals } from "../api/cql.ts";
import { ask, Refused } from "../api/http.ts";
import { list } from "../api/list.ts";
import { findPatrons } from "../api/patrons.ts";
import type { Loan, User } from "../api/records.ts";
import { helpFor } from "../loans/refusal-words.ts";
import { differsFromExpected } from "../offline/expected.ts";
import { startScanMeasure } from "../scanning/measure.ts";
import { ANSWER_TIMEOUT_MS, CardScanned, isPending, type Scan, type ScanState, scanQueue } from "../scanning/queue.ts";
import { announce, playSignal } from "../scanning/signals.tsx";
import { workplace } from "../shell/session.ts";
import { store } from "../shell/store.ts";
import { blocksToOverride, tryWithOverride, type VisitOverride } from "./override/standing.ts";

/** The data of a check-out besides the item barcode: patron, proxy, service point, overridden blocks. */
export interface CheckOutOrder {
  userBarcode: string;
  proxyUserBarcode?: string;
  servicePointId: string;
  overrideBlocks?: Record<string, unknown>;
  /**
   * The override for the whole visit at the time of the scan; the server is sent only the blocks that it has refused
   * for.
   */
  standing?: VisitOverride;
}

export type CheckOutScan = Scan<CheckOutOrder, Loan>;

interface Visit {
  id?: string;
  /**
   * A patron who could not be looked up, without a connection, has an empty id: only the barcode of the card is known.
   */
  patron?: User;
  /** The text that was scanned or typed to find the patron, until the inbox has handled it. */
  card?: string;
  /** The sponsor for whom the patron at the desk borrows as a proxy. */
  sponsor?: User;
  /** The patron group of a patron who could not be looked up, as chosen by staff. */
  group?: string;
  /** The override that applies until the visit ends. */
  override?: VisitOverride;
  /** Loans of the patron that were renewed during the visit. */
  renewed?: Loan[];
  /** The previous patron and their loans, for a receipt that is asked for late. */
  before?: { patron: User; loans: Loan[]; renewed?: Loan[] };
}

export const visit = store<Visit>({}, { name: "octavo.check-out.visit", in: () => sessionStorage });

/** Describes the result of a scan in the current language. */
let describeResult: (scan: CheckOutScan) => string = ({ barcode }) => barcode;
export function setResultDescriber(teller: typeof describeResult): void {
  describeResult = teller;
}

/** A check-out that is sent more than so many milliseconds after its scan has the time of its scan as its loan date. */
const LATE_AFTER_MS = 30_000;

export const checkOuts = scanQueue<CheckOutOrder, Loan>({
  name: "octavo.check-out.scans",
  send: async (scan, mayBeDone) => {
    const isLate = mayBeDone || Date.now() - Date.parse(scan.at) > LATE_AFTER_MS;
    const { standing, ...order } = scan.order;
    try {
      return await tryWithOverride(order.overrideBlocks ? undefined : standing, (overrideBlocks) =>
        ask<Loan>("/circulation/check-out-by-barcode", {
          method: "POST",
          body: {
            itemBarcode: scan.barcode,
            ...order,
            ...(overrideBlocks && { overrideBlocks }),
            // A check-out that is sent late has the time of its scan as its loan date.
            ...(isLate && { loanDate: scan.at }),
          },
          timeoutMs: ANSWER_TIMEOUT_MS,
        }),
      );
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const loan = mayBeDone && (await findLoanOfScan(scan));
      if (loan) return loan;
      const owner =
        error.refusals.some((one) => helpFor(one) === "unknownItem") && (await findOwnerOfCard(scan.barcode));
      throw owner ? new CardScanned(owner) : error;
    }
  },
  onAnswered: (scan) => {
    playSignal(scan.state.is === "done" ? "well" : "badly");
    // The question about a card is announced by itself.
    if (scan.state.is !== "card") announce(describeResult(scan));
    // Checked out after its visit had ended, with the due date that the patron was told: nothing has to be shown.
    if (isOver(scan) && scan.state.is === "done" && !hasOtherDueDate(scan)) checkOuts.remove(scan.key);
  },
  isStillNeeded: (scan) => isOver(scan) && (scan.state.is === "refused" || hasOtherDueDate(scan)),
});

/** The visit of the scan has ended. */
const isOver = (scan: CheckOutScan) => scan.visit !== visit.get().id;

/** Checked out with another due date than the patron was told. */
const hasOtherDueDate = ({ state, told }: CheckOutScan) =>
  state.is === "done" && differsFromExpected(told, state.answer.dueDate);

/** The owner of a card; undefined if nobody has it, or if the staff member may not look for patrons. */
async function findOwnerOfCard(barcode: string): Promise<User | undefined> {
  try {
    return (await list("/users", { query: equals("barcode", barcode), limit: 1 })).users[0];
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** The loan that an earlier attempt has made, if its answer was lost. */
async function findLoanOfScan({ barcode, at, order }: CheckOutScan): Promise<Loan | undefined> {
  const { items } = await list("/inventory/items", { query: equals("barcode", barcode) });
  const id = items[0]?.id;
  if (id === undefined) return undefined;
  const { loans } = await list("/circulation/loans", {
    query: and(equals("itemId", id), equals("status.name", "Open")),
  });
  // Made after the scan, allowing a minute of difference between the clocks of desk and server.
  const made = (loan: Loan) => Date.parse(loan.loanDate) > Date.parse(at) - 60_000;
  return loans.find((loan) => loan.borrower?.barcode === order.userBarcode && made(loan));
}

export function startVisit(patron: User, card?: string): void {
  const { id } = visit.get();
  if (id !== undefined) checkOuts.clear(id);
  visit.set({ id: crypto.randomUUID(), patron, ...(card !== undefined && { card }) });
}

/**
 * Begins a visit in which this patron borrows for themselves, and ends the visit of another patron that is still open.
 * If it is the patron's own, it goes on.
 */
export function continueWithPatron(patron: User): void {
  const { patron: current, sponsor } = visit.get();
  if (current?.id === patron.id && sponsor === undefined) return;
  void endVisit().catch(() => {});
  startVisit(patron);
}

/** Begins a visit without a connection: the owner of the card is unknown, but the scanned items are queued. */
export function startUnknownVisit(barcode: string): void {
  startVisit({ id: "", barcode }, barcode);
}

/** The connection is back: looks up the patron of a visit that began without it. */
export async function identifyPatron(): Promise<void> {
  const { id, patron } = visit.get();
  if (patron === undefined || patron.id !== "" || patron.barcode === undefined) return;
  const [found] = (await findPatrons(patron.barcode)).users;
  if (found?.barcode === patron.barcode) visit.set((now) => (now.id === id ? { ...now, patron: found } : now));
}

/**
 * A patron of the visit has been changed; scans that were refused because they were inactive or expired are sent again.
 */
export function notePatronChanged(user: User): void {
  visit.set(({ patron, sponsor, ...now }) => ({
    ...now,
    ...(patron && { patron: patron.id === user.id ? user : patron }),
    ...(sponsor && { sponsor: sponsor.id === user.id ? user : sponsor }),
  }));
  const isRefusedForThat = (scan: CheckOutScan) =>
    scan.order.userBarcode === user.barcode &&
    scan.state.is === "refused" &&
    scan.state.refusals.every((refusal) => helpFor(refusal) === "inactiveOrExpired");
  for (const { key } of checkOuts.scans.get().filter(isRefusedForThat)) checkOuts.resend(key);
}

export function setSponsor(sponsor: User | undefined): void {
  visit.set(({ sponsor: _, ...now }) => ({ ...now, ...(sponsor && { sponsor }) }));
}

/** Sets or ends the override of the visit. Scans that were refused only for these blocks are sent again. */
export function setVisitOverride(override: VisitOverride | undefined): void {
  visit.set(({ override: _, ...now }) => ({ ...now, ...(override && { override }) }));
  const { id } = visit.get();
  for (const { key, order, state } of checkOuts.scans.get().filter((scan) => scan.visit === id)) {
    const { standing: _, ...plain } = order;
    const isCovered = state.is === "refused" && blocksToOverride(new Refused(state.status, state.refusals), override);
    if (isCovered) checkOuts.resend(key, { ...plain, ...(override && { standing: override }) });
    else checkOuts.changeOrder(key, state.is === "refused" ? plain : order);
  }
}

/** Adds a renewed loan of the patron at the desk to the receipt of the visit. */
export function noteRenewal(userId: string, loan: Loan): void {
  const { patron, sponsor } = visit.get();
  if (![patron?.id, sponsor?.id].includes(userId)) return;
  visit.set(({ renewed = [], ...now }) => ({ ...now, renewed: [...renewed.filter(({ id }) => id !== loan.id), loan] }));
}

/** Removes a renewal that was undone from the receipt of the visit. */
export function forgetRenewal(loanId: string): void {
  visit.set(({ renewed, ...now }) => ({
    ...now,
    ...(renewed && { renewed: renewed.filter(({ id }) => id !== loanId) }),
  }));
}

/** The override that applies to this patron now. */
export function overrideFor(userId: string): VisitOverride | undefined {
  const { patron, sponsor, override } = visit.get();
  return (sponsor ?? patron)?.id === userId ? override : undefined;
}

export function addItemScan(barcode: string, at: string, state: ScanState<Loan> = { is: "waiting" }): void {
  const { id, patron, sponsor, override } = visit.get();
  const { servicePoint } = workplace.get();
  if (id === undefined || !patron?.barcode || servicePoint === undefined) return;
  const order: CheckOutOrder = { userBarcode: sponsor?.barcode ?? patron.barcode, servicePointId: servicePoint };
  if (sponsor?.barcode) order.proxyUserBarcode = patron.barcode;
  if (override !== undefined) order.standing = override;
  checkOuts.add({ barcode, at, order, visit: id, state });
  startScanMeasure(checkOuts.scans.get().at(-1)?.key ?? "");
}

/**
 * The card among the items belongs to the next patron: begins their visit, with the items that were scanned after it.
 */
export function switchToPatron({ key, visit: of }: CheckOutScan, owner: User): void {
  const isNow = of === visit.get().id;
  if (isNow) {
    void endVisit().catch(() => {});
    startVisit(owner);
  }
  const theirs = (isNow && visit.get().id) || crypto.randomUUID();
  checkOuts.handOver(key, theirs, ({ servicePointId }) => ({ userBarcode: owner.barcode ?? "", servicePointId }));
}

/** The scans of a visit that have not been answered yet. */
export const pendingScans = (id: string | undefined) =>
  checkOuts.scans.get().filter((scan) => scan.visit === id && isPending(scan));

/** Ends the visit of the patron, so that patron notices that wait for the end of the session are sent. */
export async function endVisit(): Promise<void> {
  const { id, patron, renewed } = visit.get();
  if (id === undefined || patron === undefined) return;
  const mine = checkOuts.scans.get().filter((scan) => scan.visit === id);
  const loans = mine.flatMap(({ state }) => (state.is === "done" ? [state.answer] : []));
  visit.set({ before: { patron, loans, ...(renewed && { renewed }) } });
  checkOuts.clear(id);
  if (loans.length === 0) return;
  const borrowers = [...new Set(loans.map((loan) => loan.userId))];
  await ask("/circulation/end-patron-action-session", {
    method: "POST",
    body: { endSessions: borrowers.map((patronId) => ({ patronId, actionType: "Check-out" })) },
  });
}

/** Checks in an item that is still on loan to somebody else, and then checks it out. */
export async function checkInFirst({ key, barcode }: CheckOutScan): Promise<void> {
  const { servicePoint } = workplace.get();
  await ask("/circulation/check-in-by-barcode", {
    method: "POST",
    body: { itemBarcode: barcode, servicePointId: servicePoint, checkInDate: new Date().toISOString() },
  });
  checkOuts.resend(key);
}
