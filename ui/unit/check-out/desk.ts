/** A desk at check-out, and a library behind it with three patrons. */

import { vi } from "vitest";
import type { User } from "../../src/api/records.ts";
import { type Asked, json, type Locks, Network, settled } from "../browser.ts";

export const [ANN, BEN, CID] = ["27001000000001", "27001000000002", "27001000000003"] as const;
export const SERVICE_POINT = "harbour-desk";
export const CHECK_OUT = "POST /circulation/check-out-by-barcode";
export const USERS = "GET /users";
export const END = "POST /circulation/end-patron-action-session";

const PATRONS: User[] = [
  { id: "ann", username: "ann", barcode: ANN, personal: { lastName: "Lee", firstName: "Ann" } },
  { id: "ben", username: "ben", barcode: BEN, personal: { lastName: "Lee", firstName: "Ben" } },
  { id: "cid", username: "cid", barcode: CID, personal: { lastName: "Moss" } },
];

export interface Lent {
  item: string;
  to: string;
  /** Given where a loan is made late. */
  at: string | undefined;
}

export class Library {
  readonly network = new Network();
  /** Loans that the library has made, in order. */
  readonly lent: Lent[] = [];
  /** Held back until this is so. */
  lookedUp: Promise<void> = Promise.resolve();
  decided: Promise<void> = Promise.resolve();

  constructor() {
    this.network
      .on(USERS, async ({ query }) => {
        await this.lookedUp;
        return json({ users: found(query.get("query") ?? "") });
      })
      .on(CHECK_OUT, async (asked) => {
        await this.decided;
        return this.checkOut(asked);
      })
      .on(END, () => new Response(null, { status: 204 }))
      .on("GET /_/proxy/health", () => new Response("[ ]"))
      .on("GET /configurations/entries", () => json({ configs: [] }))
      .on("GET /inventory/items", ({ query }) => json({ items: [{ id: quotedIn(query) }] }))
      .on("GET /circulation/loans", ({ query }) => json({ loans: this.openLoans(quotedIn(query)) }));
  }

  checkOut({ body }: Asked): Response {
    const [item, to] = [String(body.itemBarcode), String(body.userBarcode)];
    if (item.startsWith("27")) return refusal(`No item with barcode ${item} could be found`);
    if (this.lent.some((one) => one.item === item)) return refusal("Item is already checked out");
    this.lent.push({ item, to, at: body.loanDate as string | undefined });
    return json(this.openLoans(item)[0], 201);
  }

  private openLoans(item: string | undefined) {
    return this.lent
      .filter((one) => one.item === item)
      .map((one) => ({
        id: `loan of ${one.item}`,
        itemId: one.item,
        userId: PATRONS.find(({ barcode }) => barcode === one.to)?.id,
        borrower: { barcode: one.to },
        loanDate: one.at ?? new Date().toISOString(),
        dueDate: "2026-12-14T23:59:59Z",
      }));
  }
}

const refusal = (message: string) => json({ errors: [{ message }] }, 422);
const quotedIn = (query: URLSearchParams) => /"([^"]+)"/.exec(query.get("query") ?? "")?.[1];

function found(query: string): User[] {
  if (query.includes("personal.lastName"))
    return PATRONS.filter((one) => query.includes(`"${one.personal?.lastName}*`));
  return PATRONS.filter(({ barcode }) => query.includes(`barcode=="${barcode}"`));
}

/** Opens the page of check-out, for the first time or anew. */
export async function open() {
  vi.resetModules();
  const { place, ...shell } = await import("../../src/shell/session.ts");
  place.set({ tenant: "diku", servicePoint: SERVICE_POINT });
  const desk = {
    ...shell,
    ...(await import("../../src/check-out/inbox.ts")),
    ...(await import("../../src/check-out/session.ts")),
  };
  await settled();
  const scan = async (...barcodes: string[]) => {
    for (const barcode of barcodes) desk.scanned(barcode);
    await settled();
  };
  const states = () => desk.lending.scans.get().map(({ barcode, state }) => `${barcode} ${state.is}`);
  return { ...desk, scan, states };
}

/** The browser ends the page, without a word to it: what it waits for never comes. */
export function endPage(): void {
  vi.clearAllTimers();
  (navigator.locks as unknown as Locks).releaseAll();
}

/** Something that has not happened yet. */
export const later = () => Promise.withResolvers<void>();
