import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { jsonResponse, Network } from "../browser.ts";

const entry = (id: string) => ({
  label: id,
  barcode: id,
  order: { do: "renew", loanId: id, itemId: id, userId: "ann", renewals: 0 } as const,
});

const RENEW = "POST /circulation/renew-by-id";
const soon = () => vi.advanceTimersByTimeAsync(0);
const RETRY_MS = 2_000;

let network: Network;
beforeEach(() => {
  vi.useFakeTimers();
  network = new Network().answerWith("GET /_/proxy/health", () => new Response("[ ]"));
});
afterEach(() => {
  vi.useRealTimers();
});

const load = () => import("../../src/lists/bulk/job.ts");
const states = (now: { states: { is: string }[] } | null) => now?.states.map(({ is }) => is);

test("records are changed one after the other; what is refused says why, and the others go on", async () => {
  const { startJob, job } = await load();
  network.answerWith(RENEW, ({ body }) =>
    body.itemId === "two"
      ? jsonResponse({ errors: [{ message: "loan at maximum renewal number" }] }, 422)
      : jsonResponse({ id: "x", dueDate: "2026-12-24T22:59:59Z" }),
  );
  startJob("Renew", "diku/me", [entry("one"), entry("two"), entry("three")]);
  await soon();
  expect(states(job.get())).toEqual(["done", "refused", "done"]);
  expect(network.callsTo(RENEW).map(({ body }) => body.itemId)).toEqual(["one", "two", "three"]);
});

test("a lost connection loses nothing: what may have been done is looked up, and then it goes on by itself", async () => {
  const { startJob, job } = await load();
  network
    .answerWith(RENEW, ({ body }) => {
      // It is renewed, but the answer does not arrive.
      if (body.itemId === "two") network.isUp = false;
      if (body.itemId === "two") throw new TypeError("Failed to fetch");
      return jsonResponse({ id: "x", dueDate: "2026-12-24T22:59:59Z" });
    })
    .answerWith("GET /circulation/loans/two", () => jsonResponse({ id: "two", renewalCount: 1 }));
  startJob("Renew", "diku/me", [entry("one"), entry("two"), entry("three")]);
  await soon();
  expect(states(job.get())).toEqual(["done", "kept", "waiting"]);
  network.isUp = true;
  await vi.advanceTimersByTimeAsync(RETRY_MS + 100);
  expect(states(job.get())).toEqual(["done", "done", "done"]);
  // Renewed once.
  expect(network.callsTo(RENEW).filter(({ body }) => body.itemId === "two")).toHaveLength(1);
});

test("a page that goes leaves its work to the next one, which goes on when somebody says so", async () => {
  const first = await load();
  let answer = () => {};
  network.answerWith(RENEW, async ({ body }) => {
    if (body.itemId === "two") {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
    }
    return jsonResponse({ id: "x", dueDate: "2026-12-24T22:59:59Z" });
  });
  first.startJob("Renew", "diku/me", [entry("one"), entry("two"), entry("three")]);
  await vi.advanceTimersByTimeAsync(1_100);
  first.stopJob();
  vi.resetModules();
  const { job, restoreJob, resumeJob } = await load();
  restoreJob();
  expect(states(job.get())).toEqual(["done", "kept", "waiting"]);
  expect(job.get()?.isStopped).toBe(true);
  network
    .answerWith("GET /circulation/loans/two", () => jsonResponse({ id: "two", renewalCount: 0 }))
    .answerWith(RENEW, () => jsonResponse({ id: "x", dueDate: "2026-12-24T22:59:59Z" }));
  resumeJob();
  await soon();
  expect(states(job.get())).toEqual(["done", "done", "done"]);
  answer();
});

test("an interrupted job keeps its user from another one, and nobody else", async () => {
  const { startJob, stopJob, job, isBusy } = await load();
  expect(isBusy(job.get(), "diku/me")).toBe(false);
  network.answerWith(RENEW, () => jsonResponse({ id: "x", dueDate: "2026-12-24T22:59:59Z" }));
  startJob("Renew", "diku/me", [entry("one"), entry("two")]);
  stopJob();
  await soon();
  expect([isBusy(job.get(), "diku/me"), isBusy(job.get(), "diku/you")]).toEqual([true, false]);
});

test("a full storage stops no job", async () => {
  const { startJob, job } = await load();
  network.answerWith(RENEW, () => jsonResponse({ id: "x", dueDate: "2026-12-24T22:59:59Z" }));
  const setItem = vi.fn(() => {
    throw new DOMException("It is full", "QuotaExceededError");
  });
  vi.stubGlobal("sessionStorage", { setItem });
  startJob("Renew", "diku/me", [entry("one"), entry("two")]);
  await soon();
  vi.unstubAllGlobals();
  expect(setItem).toHaveBeenCalled();
  expect(states(job.get())).toEqual(["done", "done"]);
});

test("copies are put back, but for those that somebody has changed since", async () => {
  const { startJob, job, undoJob } = await load();
  const copies: Record<string, Record<string, unknown>> = {};
  for (const id of ["one", "two"]) {
    copies[id] = {
      id,
      _version: 1,
      status: { name: "Available" },
      permanentLoanType: { id: "can-circulate" },
      temporaryLocation: { id: "display" },
    };
    network
      .answerWith(`GET /inventory/items/${id}`, () => jsonResponse(copies[id]))
      .answerWith(`PUT /inventory/items/${id}`, ({ body }) => {
        copies[id] = { ...body, _version: Number(copies[id]?._version) + 1 };
        return new Response(null, { status: 204 });
      });
  }
  const change = (id: string) => ({
    label: id,
    barcode: id,
    order: { do: "item", id, change: { temporaryLocation: null } } as const,
  });
  startJob("Change", "diku/me", [change("one"), change("two")]);
  await soon();
  expect(copies.one?.temporaryLocation).toBeUndefined();
  copies.two = { ...copies.two, barcode: "other", _version: 3 };
  undoJob("Undo");
  await soon();
  expect(copies.one?.temporaryLocation).toEqual({ id: "display" });
  expect(copies.two?.temporaryLocation).toBeUndefined();
  // In the reverse order.
  expect(states(job.get())).toEqual(["changedSince", "done"]);
});

describe("a note whose answer was lost", () => {
  const note = { itemNoteTypeId: "shelf", note: "Checked", staffOnly: true };
  let item: Record<string, unknown>;
  let isSent: boolean;
  beforeEach(() => {
    item = { id: "one", _version: 1, permanentLoanType: { id: "can-circulate" }, notes: [note] };
    isSent = false;
    network.answerWith("GET /inventory/items/one", () => jsonResponse(item));
  });

  /** Adds the note once more; the first PUT gets no answer, whether it is stored or not. */
  async function addNote(isStored: boolean) {
    const { startJob, job } = await load();
    network.answerWith("PUT /inventory/items/one", ({ body }) => {
      const isFirst = !isSent;
      isSent = true;
      if (isStored || !isFirst) item = { ...body, _version: Number(item._version) + 1 };
      if (isFirst) throw new TypeError("Failed to fetch");
      return new Response(null, { status: 204 });
    });
    const order = { do: "item", id: "one", change: { note }, sameNotes: 1 } as const;
    startJob("Change", "diku/me", [{ label: "one", barcode: "one", order }]);
    await soon();
    expect(states(job.get())).toEqual(["kept"]);
    await vi.advanceTimersByTimeAsync(RETRY_MS + 100);
    expect(states(job.get())).toEqual(["done"]);
  }

  test("is added again if it was not stored, though the item had the same note before", async () => {
    await addNote(false);
    expect(item.notes).toEqual([note, note]);
  });

  test("is not added twice if it was stored", async () => {
    await addNote(true);
    expect(item.notes).toEqual([note, note]);
    expect(network.callsTo("PUT /inventory/items/one")).toHaveLength(1);
  });
});
