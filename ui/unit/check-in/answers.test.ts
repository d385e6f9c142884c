import { beforeEach, expect, test, vi } from "vitest";
import { jsonResponse, type Locks, Network, settle } from "../browser.ts";

const CHECK_IN = "POST /circulation/check-in-by-barcode";
const MINUTE_MS = 60_000;

let network: Network;
beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-23T10:00:00Z") });
  network = new Network()
    .answerWith("GET /_/proxy/health", () => new Response("[ ]"))
    .answerWith(CHECK_IN, () => jsonResponse({ item: { id: "i", status: { name: "Available" } } }));
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
