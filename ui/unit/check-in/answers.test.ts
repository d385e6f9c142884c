import { beforeEach, expect, test, vi } from "vitest";
import { jsonResponse, type Locks, Network, settle } from "../browser.ts";

const CHECK_IN = "POST /circulation/check-in-by-barcode";
const MINUTE_MS = 60_000;

let network: Network;
beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-23T10:00:00Z") });
  network = new Network()
    .answerWith("GET /_/proxy/health", () => new Response("[ ]"))
    .answerWith(CHECK_IN, () => jsonResponse({ item: { id: "i", status: { name: "Available" } }, inHouseUse: true }))
    .answerWith("GET /circulation/loans", () => jsonResponse({ loans: [] }));
});

/** Opens the check-in page, for the first time or again. */
async function openPage() {
  vi.resetModules();
  const { workplace } = await import("../../src/shell/session.ts");
  workplace.set({ tenant: "diku", servicePoint: "harbour-desk" });
  const page = await import("../../src/check-in/session.ts");
  await settle();
  /** Whether the only scan was answered, and just now. */
  const isNew = () => {
    const state = page.checkIns.scans.get()[0]?.state;
    return state?.is === "done" && page.isJustAnswered(state.answer);
  };
  return { ...page, isNew };
}

test("a scan is new for a minute after its answer, however long the answer took", async () => {
  const { addReturn, isNew } = await openPage();
  network.isUp = false;
  addReturn("1");
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(isNew()).toBe(false);
  network.isUp = true;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(isNew()).toBe(true);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(isNew()).toBe(false);
});

test("after a reload, what was answered before is not new", async () => {
  const first = await openPage();
  first.addReturn("1");
  await settle();
  expect(first.isNew()).toBe(true);
  vi.clearAllTimers();
  (navigator.locks as unknown as Locks).releaseAll();
  const second = await openPage();
  expect(second.checkIns.scans.get().map(({ state }) => state.is)).toEqual(["done"]);
  expect(second.isNew()).toBe(false);
});

test.each([
  ["the return before the lost answer ended a loan, which the second answer lacks", "2026-11-23T10:00:01Z", "ann"],
  ["a loan that ended before the scan is not the scan's", "2026-11-23T09:00:00Z", undefined],
])("%s", async (_, systemReturnDate, borrower) => {
  const { addReturn, checkIns, endPile } = await openPage();
  network
    .answerWith("GET /circulation/loans", ({ query }) => {
      expect(query.get("query")).toContain('itemId=="i" and status.name=="Closed"');
      return jsonResponse({ loans: [{ id: "l", userId: "ann", itemId: "i", systemReturnDate }] });
    })
    .answerWith(CHECK_IN, () => {
      network.answerWith(CHECK_IN, () => jsonResponse({ item: { id: "i" }, inHouseUse: true }));
      throw new TypeError("Failed to fetch");
    })
    .answerWith("POST /circulation/end-patron-action-session", () => new Response(null, { status: 204 }));
  addReturn("1");
  await vi.advanceTimersByTimeAsync(5_000);
  const state = checkIns.scans.get()[0]?.state;
  const answer = state?.is === "done" ? state.answer : undefined;
  expect(answer?.loan?.userId).toBe(borrower);
  expect(answer?.inHouseUse).toBe(borrower === undefined);
  await endPile();
  expect(network.callsTo("POST /circulation/end-patron-action-session").length).toBe(borrower === undefined ? 0 : 1);
});
