/** A check-out desk, and a library with three patrons behind it. */

import { vi } from "vitest";
import type { User } from "../../src/api/records.ts";
import { jsonResponse, type Locks, Network, type ReceivedCall, settle } from "../browser.ts";

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

export interface CheckedOut {
  item: string;
  to: string;
  /** The loan date of a late check-out; undefined otherwise. */
  at: string | undefined;
}

export class Library {
  readonly network = new Network();
  /** Loans that the library has made, in order. */
  readonly lent: CheckedOut[] = [];
  /** Calls wait until these promises are resolved. */
  lookedUp: Promise<void> = Promise.resolve();
  decided: Promise<void> = Promise.resolve();

  constructor() {
    this.network
      .answerWith(USERS, async ({ query }) => {
        await this.lookedUp;
        const users = findPatrons(query.get("query") ?? "");
        return jsonResponse({ users, totalRecords: users.length });
      })
      .answerWith(CHECK_OUT, async (asked) => {
        await this.decided;
        return this.checkOut(asked);
      })
      .answerWith(END, () => new Response(null, { status: 204 }))
      .answerWith("GET /_/proxy/health", () => new Response("[ ]"))
      .answerWith("GET /configurations/entries", () => jsonResponse({ configs: [] }))
      .answerWith("GET /inventory/items", ({ query }) => jsonResponse({ items: [{ id: quotedIn(query) }] }))
      .answerWith("GET /circulation/loans", ({ query }) => jsonResponse({ loans: this.openLoans(quotedIn(query)) }));
  }

  checkOut({ body }: ReceivedCall): Response {
    const [item, to] = [String(body.itemBarcode), String(body.userBarcode)];
    if (item.startsWith("27")) return refusal(`No item with barcode ${item} could be found`);
    if (this.lent.some((one) => one.item === item)) return refusal("Item is already checked out");
    this.lent.push({ item, to, at: body.loanDate as string | undefined });
    return jsonResponse(this.openLoans(item)[0], 201);
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

const refusal = (message: string) => jsonResponse({ errors: [{ message }] }, 422);
const quotedIn = (query: URLSearchParams) => /"([^"]+)"/.exec(query.get("query") ?? "")?.[1];

function findPatrons(query: string): User[] {
  if (query.includes("personal.lastName"))
    return PATRONS.filter((one) => query.includes(`"${one.personal?.lastName}*`));
  return PATRONS.filter(({ barcode }) => query.includes(`barcode=="${barcode}"`));
}

/** Opens the check-out page, for the first time or again. */
export async function openDesk() {
  vi.resetModules();
  const { workplace, ...shell } = await import("../../src/shell/session.ts");
  workplace.set({ tenant: "diku", servicePoint: SERVICE_POINT });
  const desk = {
    ...shell,
    ...(await import("../../src/check-out/inbox.ts")),
    ...(await import("../../src/check-out/session.ts")),
  };
  await settle();
  const scan = async (...barcodes: string[]) => {
    for (const barcode of barcodes) desk.addScan(barcode);
    await settle();
  };
  const states = () => desk.checkOuts.scans.get().map(({ barcode, state }) => `${barcode} ${state.is}`);
  return { ...desk, scan, states };
}

/** The browser closes the page without notice: its timers never run, and its locks are released. */
export function endPage(): void {
  vi.clearAllTimers();
  (navigator.locks as unknown as Locks).releaseAll();
}

/** A promise that is resolved later. */
export const unresolved = () => Promise.withResolvers<void>();
