/**
 * What has been scanned at check-out, until it is known what it is: the card with which a visit begins, an item, the end of the
 * visit. In order: while a card is looked up, or a visit waits for its last answers, what was scanned after it waits, too. Kept in
 * the browser's tab, so that a reload loses nothing.
 */

import { Refused } from "../api/http.ts";
import { findPatrons } from "../api/patrons.ts";
import type { Loan, User } from "../api/records.ts";
import { cardOrItem, type Guess } from "../offline/cards.ts";
import { nameOf } from "../parts/portrait.tsx";
import type { ScanState } from "../scanning/queue.ts";
import { announce, sound } from "../scanning/signals.tsx";
import { connection, place } from "../shell/session.ts";
import { store } from "../shell/store.ts";
import { begin, end, lend, lending, pendingOf, visit } from "./session.ts";

type Entry = { text: string; at: string } | { end: true };

export const inbox = store<Entry[]>([], { name: "octavo.check-out.inbox", in: () => sessionStorage });

/** The state of the lookup of the card at the head of the inbox, before its visit begins. */
type Lookup =
  | { is: "asking" | "unreachable"; text: string }
  | { is: "found"; text: string; found: User[] }
  | { is: "failed"; text: string; error: unknown };

export const lookup = store<{ now?: Lookup }>({});

export function scanned(text: string): void {
  inbox.set((all) => [...all, { text, at: new Date().toISOString() }]);
}

/** Ends the visit as soon as what was scanned before has its answers. */
export function finish(): void {
  const last = inbox.get().at(-1);
  const isEnding = last !== undefined && "end" in last;
  if (!isEnding && (visit.get().patron || last)) inbox.set((all) => [...all, { end: true }]);
}

/** Looks the card up once more. */
export function lookAgain(): void {
  lookup.set({});
}

export function welcome(patron: User, card?: string): void {
  sound("well");
  announce(nameOf(patron));
  begin(patron, card);
}

let draining = false;

async function drain(): Promise<void> {
  if (draining) return;
  draining = true;
  while (inbox.get().length > 0) {
    const guess = await guessed();
    if (!take(inbox.get(), guess)) break;
    inbox.set((all) => all.slice(1));
  }
  draining = false;
}

/** Without a connection: what the next scan can only be. Before a visit the first is its card, and the second is asked about. */
async function guessed(): Promise<Guess> {
  const { patron } = visit.get();
  const entry = inbox.get()[patron ? 0 : 1];
  const { servicePoint } = place.get();
  if (connection.get().up || servicePoint === undefined || entry === undefined || "end" in entry) return undefined;
  return cardOrItem(entry.text, patron?.barcode, servicePoint);
}

/** Whether the first has been dealt with; otherwise it waits for what is still to come. */
function take([first, second]: Entry[], guess: Guess): boolean {
  if (first === undefined) return false;
  const { patron } = visit.get();
  if ("end" in first) return patron === undefined || ended();
  return patron ? takeInVisit(first, patron, guess) : takeAsCard(first.text, second, guess);
}

function ended(): boolean {
  const pending = pendingOf(visit.get().id);
  // Without a connection a visit ends as well: what it scanned goes out later. Whose that is must be said before.
  if (pending.some(({ state }) => state.is === "card" || connection.get().up)) return false;
  void end().catch(() => {});
  return true;
}

function takeInVisit({ text, at }: { text: string; at: string }, patron: User, guess: Guess): boolean {
  const { now } = lookup.get();
  const isAnswered = now?.text === text && (now.is === "found" || now.is === "failed");
  if (text === visit.get().card || isAnswered) {
    visit.set(({ card: _, ...now }) => now);
    lookup.set({});
  } else if (text === patron.barcode) {
    sound("well");
    announce(nameOf(patron));
  } else if (guess === "card") {
    sound("badly");
    lend(text, at, unknownCard(text));
  } else {
    lend(text, at);
  }
  return true;
}

/** It looks like a card; the server says later whose. */
function unknownCard(barcode: string): ScanState<Loan> {
  return { is: "card", owner: { id: "", barcode } };
}

/** What was scanned before the loss of the connection was noticed may look like a card as well. */
async function findCardsAmongWaiting(): Promise<void> {
  const { id, patron } = visit.get();
  const { servicePoint } = place.get();
  if (servicePoint === undefined) return;
  const waiting = () => lending.scans.get().filter((scan) => scan.visit === id && scan.state.is === "waiting");
  for (const { key, barcode } of waiting()) {
    const guess = await cardOrItem(barcode, patron?.barcode, servicePoint);
    if (connection.get().up) return;
    if (guess !== "card" || !waiting().some((scan) => scan.key === key)) continue;
    sound("badly");
    lending.settle(key, unknownCard(barcode));
  }
}

function takeAsCard(text: string, next: Entry | undefined, guess: Guess): boolean {
  const { now } = lookup.get();
  if (now?.text !== text) {
    void lookUp(text);
    return false;
  }
  if (now.is === "asking" || next === undefined) return false;
  // Whose card it is will be known later; what they take is there already.
  if (now.is === "unreachable" && guess === "item") return false;
  lookup.set({});
  return true;
}

async function lookUp(text: string): Promise<void> {
  lookup.set({ now: { is: "asking", text } });
  const now = await lookedUp(text);
  if (visit.get().patron) return lookup.set({});
  const [first] = now.is === "found" ? now.found : [];
  if (now.is === "found" && now.found.length === 1 && first?.barcode) return welcome(first, text);
  if (now.is === "found") sound(now.found.length > 0 ? "well" : "badly");
  lookup.set({ now });
}

async function lookedUp(text: string): Promise<Lookup> {
  try {
    return { is: "found", text, found: await findPatrons(text) };
  } catch (error) {
    return error instanceof Refused ? { is: "failed", text, error } : { is: "unreachable", text };
  }
}

connection.follow(() => {
  if (connection.get().up) {
    if (lookup.get().now?.is === "unreachable") lookAgain();
    // Scans that only looked like a card: now the server can tell.
    for (const { key, state } of lending.scans.get()) {
      if (state.is === "card" && state.owner.id === "") lending.again(key);
    }
  } else {
    void findCardsAmongWaiting();
  }
  void drain();
});
for (const { follow } of [inbox, lookup, visit, lending.scans]) follow(() => void drain());
void drain();
