/**
 * What was scanned at check-out and is not classified yet: the card that begins a visit, an item, or the end of the
 * visit. It is processed in order: while a card is looked up, or a visit waits for its last answers, later scans wait,
 * too. Kept in the tab's session storage, so that a reload loses nothing.
 */

import { Refused } from "../api/http.ts";
import { type FoundPatrons, findPatrons } from "../api/patrons.ts";
import type { Loan, User } from "../api/records.ts";
import { type Guess, guessCardOrItem } from "../offline/cards.ts";
import { patronName } from "../parts/portrait.tsx";
import type { ScanState } from "../scanning/queue.ts";
import { announce, playSignal } from "../scanning/signals.tsx";
import { connection, workplace } from "../shell/session.ts";
import { store } from "../shell/store.ts";
import { addItemScan, checkOuts, endVisit, pendingScans, startVisit, visit } from "./session.ts";

type InboxEntry = { text: string; at: string } | { end: true };

export const inbox = store<InboxEntry[]>([], { name: "octavo.check-out.inbox", in: () => sessionStorage });

/** The lookup of the card at the head of the inbox, before its visit begins. */
type Lookup =
  | { is: "asking" | "unreachable"; text: string }
  | { is: "found"; text: string; found: FoundPatrons }
  | { is: "failed"; text: string; error: unknown };

export const cardLookup = store<{ now?: Lookup }>({});

export function addScan(text: string): void {
  inbox.set((all) => [...all, { text, at: new Date().toISOString() }]);
}

/** Ends the visit as soon as everything that was scanned before has been answered. */
export function requestVisitEnd(): void {
  const last = inbox.get().at(-1);
  const isEnding = last !== undefined && "end" in last;
  if (!isEnding && (visit.get().patron || last)) inbox.set((all) => [...all, { end: true }]);
}

/** Repeats the lookup of the card. */
export function retryLookup(): void {
  cardLookup.set({});
}

export function welcomePatron(patron: User, card?: string): void {
  playSignal("well");
  announce(patronName(patron));
  startVisit(patron, card);
}

let isTakingEntries = false;

async function takeEntries(): Promise<void> {
  if (isTakingEntries) return;
  isTakingEntries = true;
  while (inbox.get().length > 0) {
    const guess = await guessNextScan();
    if (!takeEntry(inbox.get(), guess)) break;
    inbox.set((all) => all.slice(1));
  }
  isTakingEntries = false;
}

/**
 * Without a connection: whether the next scan can only be a card or an item. Before a visit the first scan is a card,
 * and the guess is for the second one.
 */
async function guessNextScan(): Promise<Guess> {
  const { patron } = visit.get();
  const entry = inbox.get()[patron ? 0 : 1];
  const { servicePoint } = workplace.get();
  if (connection.get().up || servicePoint === undefined || entry === undefined || "end" in entry) return undefined;
  return guessCardOrItem(entry.text, patron?.barcode, servicePoint);
}

/** Whether the first entry is finished; otherwise it stays in the inbox and waits. */
function takeEntry([first, second]: InboxEntry[], guess: Guess): boolean {
  if (first === undefined) return false;
  const { patron } = visit.get();
  if ("end" in first) return patron === undefined || tryEndVisit();
  return patron ? takeItemScan(first, patron, guess) : takeCardScan(first.text, second, guess);
}

function tryEndVisit(): boolean {
  const pending = pendingScans(visit.get().id);
  // Without a connection a visit can end, too: its scans are sent later. Scanned patron cards must be assigned first.
  if (pending.some(({ state }) => state.is === "card" || connection.get().up)) return false;
  void endVisit().catch(() => {});
  return true;
}

function takeItemScan({ text, at }: { text: string; at: string }, patron: User, guess: Guess): boolean {
  const { now } = cardLookup.get();
  const isAnswered = now?.text === text && (now.is === "found" || now.is === "failed");
  if (text === visit.get().card || isAnswered) {
    visit.set(({ card: _, ...now }) => now);
    cardLookup.set({});
  } else if (text === patron.barcode) {
    playSignal("well");
    announce(patronName(patron));
  } else if (guess === "card") {
    playSignal("badly");
    addItemScan(text, at, unknownCardState(text));
  } else {
    addItemScan(text, at);
  }
  return true;
}

/** The barcode looks like a card; the server will say later whose it is. */
function unknownCardState(barcode: string): ScanState<Loan> {
  return { is: "card", owner: { id: "", barcode } };
}

/** Finds cards among scans that were queued before the loss of the connection was noticed. */
async function findCardsAmongWaiting(): Promise<void> {
  const { id, patron } = visit.get();
  const { servicePoint } = workplace.get();
  if (servicePoint === undefined) return;
  const waiting = () => checkOuts.scans.get().filter((scan) => scan.visit === id && scan.state.is === "waiting");
  for (const { key, barcode } of waiting()) {
    const guess = await guessCardOrItem(barcode, patron?.barcode, servicePoint);
    if (connection.get().up) return;
    if (guess !== "card" || !waiting().some((scan) => scan.key === key)) continue;
    playSignal("badly");
    checkOuts.settle(key, unknownCardState(barcode));
  }
}

function takeCardScan(text: string, next: InboxEntry | undefined, guess: Guess): boolean {
  const { now } = cardLookup.get();
  if (now?.text !== text) {
    void lookUpCard(text);
    return false;
  }
  if (now.is === "asking" || next === undefined) return false;
  // The patron is not known yet; the items that they take are queued already.
  if (now.is === "unreachable" && guess === "item") return false;
  cardLookup.set({});
  return true;
}

async function lookUpCard(text: string): Promise<void> {
  cardLookup.set({ now: { is: "asking", text } });
  const now = await findCardOwner(text);
  if (visit.get().patron) return cardLookup.set({});
  const found = now.is === "found" ? now.found.users : [];
  const [first] = found;
  if (found.length === 1 && first?.barcode) return welcomePatron(first, text);
  if (now.is === "found") playSignal(found.length > 0 ? "well" : "badly");
  cardLookup.set({ now });
}

async function findCardOwner(text: string): Promise<Lookup> {
  try {
    return { is: "found", text, found: await findPatrons(text) };
  } catch (error) {
    return error instanceof Refused ? { is: "failed", text, error } : { is: "unreachable", text };
  }
}

connection.subscribe(() => {
  if (connection.get().up) {
    if (cardLookup.get().now?.is === "unreachable") retryLookup();
    // Scans that only looked like a card are sent: the server can tell now.
    for (const { key, state } of checkOuts.scans.get()) {
      if (state.is === "card" && state.owner.id === "") checkOuts.resend(key);
    }
  } else {
    void findCardsAmongWaiting();
  }
  void takeEntries();
});
for (const { subscribe } of [inbox, cardLookup, visit, checkOuts.scans]) subscribe(() => void takeEntries());
void takeEntries();
