/** A patron at the desk and what they take home, from the card to the end of the visit. */

import { all, is } from "../api/cql.ts";
import { ask, Refused } from "../api/http.ts";
import { list } from "../api/list.ts";
import { findPatrons } from "../api/patrons.ts";
import type { Loan, User } from "../api/records.ts";
import { helpFor } from "../loans/refusal-words.ts";
import { differs } from "../offline/expected.ts";
import { markScan } from "../scanning/measure.ts";
import { IsCard, isPending, PATIENCE_MS, type Scan, type ScanState, scanQueue } from "../scanning/queue.ts";
import { announce, sound } from "../scanning/signals.tsx";
import { place } from "../shell/session.ts";
import { store } from "../shell/store.ts";
import { against, insist, type Standing } from "./override/standing.ts";

/** A check-out besides the barcode of the item: patron, proxy, service point, overridden blocks. */
export interface Order {
  userBarcode: string;
  proxyUserBarcode?: string;
  servicePointId: string;
  overrideBlocks?: Record<string, unknown>;
  /** What was overridden for the visit when it was scanned; the server is told only what it has refused for. */
  standing?: Standing;
}

export type Lending = Scan<Order, Loan>;

interface Visit {
  id?: string;
  /** Without an id while the connection is lost: the card alone is known. */
  patron?: User;
  /** The text that was scanned or typed to find the patron, until the inbox has noted it. */
  card?: string;
  /** For whom the patron at the desk borrows. */
  sponsor?: User;
  /** The group of a patron who could not be looked up, as staff say. */
  group?: string;
  /** What is overridden until the visit ends. */
  override?: Standing;
  /** Loans of the patron that were renewed meanwhile. */
  renewed?: Loan[];
  /** The patron before and what they have done, for a receipt that is asked for late. */
  before?: { patron: User; loans: Loan[]; renewed?: Loan[] };
}

export const visit = store<Visit>({}, { name: "octavo.check-out.visit", in: () => sessionStorage });

/** Words for the result of a scan, in the chosen language. */
let tell: (scan: Lending) => string = ({ barcode }) => barcode;
export function tellWith(teller: typeof tell): void {
  tell = teller;
}

/** A check-out that was sent later than this after its scan is dated with its scan. */
const LATE_MS = 30_000;

export const lending = scanQueue<Order, Loan>({
  name: "octavo.check-out.scans",
  send: async (scan, mayBeDone) => {
    const isLate = mayBeDone || Date.now() - Date.parse(scan.at) > LATE_MS;
    const { standing, ...order } = scan.order;
    try {
      return await insist(order.overrideBlocks ? undefined : standing, (overrideBlocks) =>
        ask<Loan>("/circulation/check-out-by-barcode", {
          method: "POST",
          body: {
            itemBarcode: scan.barcode,
            ...order,
            ...(overrideBlocks && { overrideBlocks }),
            // A check-out that is sent late is dated with the moment of its scan.
            ...(isLate && { loanDate: scan.at }),
          },
          patience: PATIENCE_MS,
        }),
      );
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const loan = mayBeDone && (await loanOf(scan));
      if (loan) return loan;
      const owner = error.refusals.some((one) => helpFor(one) === "unknownItem") && (await ownerOf(scan.barcode));
      throw owner ? new IsCard(owner) : error;
    }
  },
  answered: (scan) => {
    sound(scan.state.is === "done" ? "well" : "badly");
    // The question about a card is an alert by itself.
    if (scan.state.is !== "card") announce(tell(scan));
    // Lent after its visit was over, and due when the patron was told: nothing is left to do about it.
    const { state, told } = scan;
    const over = scan.visit !== visit.get().id;
    if (over && state.is === "done" && !differs(told, state.answer.dueDate)) lending.remove(scan.key);
  },
});

/** Whose card it is; nobody's where the staff member may not look. */
async function ownerOf(barcode: string): Promise<User | undefined> {
  try {
    return (await list("/users", { query: is("barcode", barcode), limit: 1 })).users[0];
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** The loan that an earlier attempt has made, whose answer was lost on the way. */
async function loanOf({ barcode, at, order }: Lending): Promise<Loan | undefined> {
  const { items } = await list("/inventory/items", { query: is("barcode", barcode) });
  const id = items[0]?.id;
  if (id === undefined) return undefined;
  const { loans } = await list("/circulation/loans", { query: all(is("itemId", id), is("status.name", "Open")) });
  // Made since the scan, give or take what the clocks of desk and server differ.
  const made = (loan: Loan) => Date.parse(loan.loanDate) > Date.parse(at) - 60_000;
  return loans.find((loan) => loan.borrower?.barcode === order.userBarcode && made(loan));
}

export function begin(patron: User, card?: string): void {
  const { id } = visit.get();
  if (id !== undefined) lending.clear(id);
  visit.set({ id: crypto.randomUUID(), patron, ...(card !== undefined && { card }) });
}

/** Begins a visit without a connection: the owner of the card is unknown, but their items are noted. */
export function beginUnknown(barcode: string): void {
  begin({ id: "", barcode }, barcode);
}

/** The connection is back: the patron of the visit is looked up after all. */
export async function recognize(): Promise<void> {
  const { id, patron } = visit.get();
  if (patron === undefined || patron.id !== "" || patron.barcode === undefined) return;
  const [found] = await findPatrons(patron.barcode);
  if (found?.barcode === patron.barcode) visit.set((now) => (now.id === id ? { ...now, patron: found } : now));
}

/** A patron of the visit has been changed; what was refused to them for that is sent again. */
export function isRenewed(user: User): void {
  visit.set(({ patron, sponsor, ...now }) => ({
    ...now,
    ...(patron && { patron: patron.id === user.id ? user : patron }),
    ...(sponsor && { sponsor: sponsor.id === user.id ? user : sponsor }),
  }));
  const isOver = (scan: Lending) =>
    scan.order.userBarcode === user.barcode &&
    scan.state.is === "refused" &&
    scan.state.refusals.every((refusal) => helpFor(refusal) === "inactiveOrExpired");
  for (const { key } of lending.scans.get().filter(isOver)) lending.again(key);
}

export function borrowFor(sponsor: User | undefined): void {
  visit.set(({ sponsor: _, ...now }) => ({ ...now, ...(sponsor && { sponsor }) }));
}

/** From now on these blocks are overridden in the visit, or nothing any more. What was refused only for them goes out again. */
export function overrideVisit(override: Standing | undefined): void {
  visit.set(({ override: _, ...now }) => ({ ...now, ...(override && { override }) }));
  const { id } = visit.get();
  for (const { key, order, state } of lending.scans.get().filter((scan) => scan.visit === id)) {
    const { standing: _, ...plain } = order;
    const isCovered = state.is === "refused" && against(new Refused(state.status, state.refusals), override);
    if (isCovered) lending.again(key, { ...plain, ...(override && { standing: override }) });
    else lending.reorder(key, state.is === "refused" ? plain : order);
  }
}

/** Loans that were renewed for the patron at the desk stand on the receipt of the visit. */
export function noteRenewed(userId: string, loan: Loan): void {
  const { patron, sponsor } = visit.get();
  if (![patron?.id, sponsor?.id].includes(userId)) return;
  visit.set(({ renewed = [], ...now }) => ({ ...now, renewed: [...renewed.filter(({ id }) => id !== loan.id), loan] }));
}

/** A renewal that was undone is on no receipt. */
export function forgetRenewed(loanId: string): void {
  visit.set(({ renewed, ...now }) => ({
    ...now,
    ...(renewed && { renewed: renewed.filter(({ id }) => id !== loanId) }),
  }));
}

/** What is overridden for this patron at the moment. */
export function standingFor(userId: string): Standing | undefined {
  const { patron, sponsor, override } = visit.get();
  return (sponsor ?? patron)?.id === userId ? override : undefined;
}

export function lend(barcode: string, at: string, state: ScanState<Loan> = { is: "waiting" }): void {
  const { id, patron, sponsor, override } = visit.get();
  const { servicePoint } = place.get();
  if (id === undefined || !patron?.barcode || servicePoint === undefined) return;
  const order: Order = { userBarcode: sponsor?.barcode ?? patron.barcode, servicePointId: servicePoint };
  if (sponsor?.barcode) order.proxyUserBarcode = patron.barcode;
  if (override !== undefined) order.standing = override;
  lending.add({ barcode, at, order, visit: id, state });
  markScan(lending.scans.get().at(-1)?.key ?? "");
}

/** The card among the items was the next patron's: their visit begins, with what was scanned after it. */
export function switchTo({ key, visit: of }: Lending, owner: User): void {
  const isNow = of === visit.get().id;
  if (isNow) {
    void end().catch(() => {});
    begin(owner);
  }
  const theirs = (isNow && visit.get().id) || crypto.randomUUID();
  lending.handOver(key, theirs, ({ servicePointId }) => ({ userBarcode: owner.barcode ?? "", servicePointId }));
}

/** The scans of the visit that are not yet sent or not yet answered. */
export const pendingOf = (id: string | undefined) =>
  lending.scans.get().filter((scan) => scan.visit === id && isPending(scan));

/** Ends the visit of the patron: patron notices that wait for its end can be sent. */
export async function end(): Promise<void> {
  const { id, patron, renewed } = visit.get();
  if (id === undefined || patron === undefined) return;
  const mine = lending.scans.get().filter((scan) => scan.visit === id);
  const loans = mine.flatMap(({ state }) => (state.is === "done" ? [state.answer] : []));
  visit.set({ before: { patron, loans, ...(renewed && { renewed }) } });
  lending.clear(id);
  if (loans.length === 0) return;
  const borrowers = [...new Set(loans.map((loan) => loan.userId))];
  await ask("/circulation/end-patron-action-session", {
    method: "POST",
    body: { endSessions: borrowers.map((patronId) => ({ patronId, actionType: "Check-out" })) },
  });
}

/** Checks in an item that is still on loan to somebody else, and then checks it out. */
export async function checkInFirst({ key, barcode }: Lending): Promise<void> {
  const { servicePoint } = place.get();
  await ask("/circulation/check-in-by-barcode", {
    method: "POST",
    body: { itemBarcode: barcode, servicePointId: servicePoint, checkInDate: new Date().toISOString() },
  });
  lending.again(key);
}
