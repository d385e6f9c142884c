import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Scan } from "../../src/scanning/queue.ts";
import { type Locks, settle } from "../browser.ts";

interface Order {
  to: string;
}

interface Sent {
  barcode: string;
  to: string;
  mayBeDone: boolean;
  answer: (answer: string) => Promise<void>;
  fail: (error: unknown) => Promise<void>;
}

/** A page with a queue, of which the test answers what it sends. */
async function open(name = "test.scans") {
  vi.resetModules();
  const { scanQueue, CardScanned } = await import("../../src/scanning/queue.ts");
  const errors = await import("../../src/api/http.ts");
  const sent: Sent[] = [];
  const answered: string[] = [];
  const queue = scanQueue<Order, string>({
    name,
    send: ({ barcode, order }, mayBeDone) =>
      new Promise((resolve, reject) => {
        sent.push({
          barcode,
          to: order.to,
          mayBeDone,
          answer: (answer) => {
            resolve(answer);
            return settle();
          },
          fail: (error) => {
            reject(error);
            return settle();
          },
        });
      }),
    onAnswered: ({ barcode, state }) => answered.push(`${barcode} ${state.is}`),
  });
  await settle();
  const scan = (barcode: string, visit = "Ann", at = "2026-11-23T10:00:00Z") =>
    queue.add({ barcode, at, visit, order: { to: visit }, state: { is: "waiting" } });
  const last = () => {
    const one = sent.at(-1);
    if (one === undefined) throw new Error("nothing was sent");
    return one;
  };
  return { queue, sent, answered, scan, last, CardScanned, ...errors };
}

const scanStates = (scans: Scan<Order, string>[]) => scans.map(({ barcode, state }) => `${barcode} ${state.is}`);
const keyOf = (scans: Scan<Order, string>[], barcode: string) =>
  scans.find((scan) => scan.barcode === barcode)?.key ?? "";

/** The browser ends the page, without a word to it: what it waits for never comes. */
function endPage(): void {
  vi.clearAllTimers();
  (navigator.locks as unknown as Locks).releaseAll();
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-23T10:00:00Z") });
});

describe("order", () => {
  test("a scan is sent when the one before it has its answer", async () => {
    const { queue, sent, scan, last } = await open();
    for (const barcode of ["1", "2", "3"]) scan(barcode);
    await settle();
    expect(sent.map(({ barcode }) => barcode)).toEqual(["1"]);
    await last().answer("due in May");
    await last().answer("due in June");
    expect(sent.map(({ barcode }) => barcode)).toEqual(["1", "2", "3"]);
    expect(scanStates(queue.scans.get())).toEqual(["1 done", "2 done", "3 working"]);
    expect(queue.scans.get()[1]?.state).toEqual({ is: "done", answer: "due in June" });
  });

  test("what is refused holds nothing up, and says why", async () => {
    const { queue, scan, last, answered, Refused } = await open();
    scan("1");
    scan("2");
    await settle();
    await last().fail(new Refused(422, [{ message: "Item is already checked out", code: "ITEM_HAS_OPEN_LOAN" }]));
    await last().answer("due in May");
    expect(answered).toEqual(["1 refused", "2 done"]);
    expect(queue.scans.get()[0]?.state).toEqual({
      is: "refused",
      status: 422,
      refusals: [{ message: "Item is already checked out", code: "ITEM_HAS_OPEN_LOAN" }],
    });
  });

  test("a fault of the desk itself is told as a refusal, and what follows goes out", async () => {
    const { queue, scan, last } = await open();
    scan("1");
    scan("2");
    await settle();
    await last().fail(new TypeError("x is undefined"));
    expect(queue.scans.get()[0]?.state).toMatchObject({
      is: "refused",
      refusals: [{ message: "TypeError: x is undefined" }],
    });
    expect(last().barcode).toBe("2");
  });

  test("a refused scan that is sent again goes before those that wait, with its new order", async () => {
    const { queue, sent, scan, last, Refused } = await open();
    scan("1");
    scan("2");
    scan("3");
    await settle();
    await last().fail(new Refused(422, [{ message: "blocked" }]));
    queue.resend(keyOf(queue.scans.get(), "1"), { to: "Ann, all the same" });
    await last().answer("2 is due");
    expect(sent.map(({ barcode, to }) => [barcode, to])).toEqual([
      ["1", "Ann"],
      ["2", "Ann"],
      ["1", "Ann, all the same"],
    ]);
  });
});

describe("lost answers", () => {
  test("a scan without an answer stays at the head, and is sent again as one that may have been done", async () => {
    const { queue, sent, answered, scan, last, Unreachable } = await open();
    scan("1");
    scan("2");
    await settle();
    await last().fail(new Unreachable());
    expect(scanStates(queue.scans.get())).toEqual(["1 kept", "2 waiting"]);
    expect(answered).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent.map(({ barcode, mayBeDone }) => [barcode, mayBeDone])).toEqual([
      ["1", false],
      ["1", true],
    ]);
    await last().answer("due in May");
    expect(last()).toMatchObject({ barcode: "2", mayBeDone: false });
  });

  test("when the browser has its connection back, nobody waits for the next attempt", async () => {
    const { sent, scan, last, Unreachable } = await open();
    scan("1");
    await settle();
    await last().fail(new Unreachable());
    window.dispatchEvent(new Event("online"));
    await settle();
    expect(sent).toHaveLength(2);
  });

  test("a sign-in that has run out loses no scan", async () => {
    const { queue, scan, last, SignedOut } = await open();
    scan("1");
    await settle();
    await last().fail(new SignedOut());
    expect(scanStates(queue.scans.get())).toEqual(["1 kept"]);
  });
});

describe("a card among the items", () => {
  /** 1 is lent, 2 is Ben's card, 3 and 4 were scanned after it. */
  async function withCard() {
    const page = await open();
    for (const barcode of ["1", "2", "3", "4"]) page.scan(barcode);
    await settle();
    await page.last().answer("due in May");
    await page.last().fail(new page.CardScanned({ id: "ben", barcode: "2" }));
    return page;
  }

  test("what was scanned after it waits, until somebody has said whose it is", async () => {
    const { queue, sent } = await withCard();
    expect(scanStates(queue.scans.get())).toEqual(["1 done", "2 card", "3 waiting", "4 waiting"]);
    expect(sent).toHaveLength(2);
  });

  test("another visit does not wait for it", async () => {
    const { scan, last } = await withCard();
    scan("5", "Cid");
    await settle();
    expect(last()).toMatchObject({ barcode: "5", to: "Cid" });
  });

  test("handed over, what came after it is the new patron's, in order; what came before stays", async () => {
    const { queue, sent, last } = await withCard();
    queue.handOver(keyOf(queue.scans.get(), "2"), "Ben", () => ({ to: "Ben" }));
    await settle();
    await last().answer("due in May");
    expect(sent.slice(2).map(({ barcode, to }) => [barcode, to])).toEqual([
      ["3", "Ben"],
      ["4", "Ben"],
    ]);
    expect(queue.scans.get().map(({ barcode, visit }) => [barcode, visit])).toEqual([
      ["1", "Ann"],
      ["3", "Ben"],
      ["4", "Ben"],
    ]);
  });

  test("taken away, the visit goes on with the first patron", async () => {
    const { queue, last } = await withCard();
    queue.remove(keyOf(queue.scans.get(), "2"));
    await settle();
    expect(last()).toMatchObject({ barcode: "3", to: "Ann" });
  });
});

describe("pages that go", () => {
  test("after a reload, what was under way is sent once more, what was answered is not, and the order stays", async () => {
    const before = await open();
    for (const barcode of ["1", "2", "3"]) before.scan(barcode);
    await settle();
    await before.last().answer("due in May");
    expect(before.last().barcode).toBe("2");
    endPage();

    const after = await open();
    expect(scanStates(after.queue.scans.get())).toEqual(["1 done", "2 working", "3 waiting"]);
    expect(after.sent.map(({ barcode, mayBeDone }) => [barcode, mayBeDone])).toEqual([["2", true]]);
    await after.last().answer("due in May");
    await after.last().answer("due in June");
    expect(after.sent.map(({ barcode }) => barcode)).toEqual(["2", "3"]);
  });

  test("after the browser was closed, the next page sends what was left, before its own", async () => {
    const before = await open();
    before.scan("1");
    before.scan("2");
    await settle();
    endPage();
    sessionStorage.clear();

    const after = await open();
    after.scan("3");
    expect(after.sent[0]).toMatchObject({ barcode: "1", mayBeDone: true });
    await after.last().answer("due in May");
    await after.last().answer("due in May");
    await after.last().answer("due in May");
    expect(after.sent.map(({ barcode }) => barcode)).toEqual(["1", "2", "3"]);
    expect(Object.keys(localStorage)).toEqual([]);
  });

  test("what another open page has still to send is left to it", async () => {
    const first = await open();
    first.scan("1");
    await settle();
    sessionStorage.clear();
    const second = await open();
    expect(second.queue.scans.get()).toEqual([]);
    expect(second.sent).toEqual([]);
  });

  test("queues of different names do not take each other's scans over", async () => {
    const lent = await open("test.lent");
    lent.scan("1");
    await settle();
    endPage();
    sessionStorage.clear();
    const returned = await open("test.returned");
    expect(returned.sent).toEqual([]);
  });

  test("where the browser keeps nothing, scans are sent all the same", async () => {
    const full = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("", "QuotaExceededError");
    });
    const { scan, last, answered } = await open();
    scan("1");
    await settle();
    await last().answer("due in May");
    expect(answered).toEqual(["1 done"]);
    full.mockRestore();
  });
});

test("a visit that is over is forgotten, but for what is still to be sent", async () => {
  const { queue, scan, last, Unreachable } = await open();
  for (const barcode of ["1", "2"]) scan(barcode);
  scan("3", "Ben");
  await settle();
  await last().answer("due in May");
  await last().fail(new Unreachable());
  queue.clear("Ann");
  expect(scanStates(queue.scans.get())).toEqual(["2 kept", "3 waiting"]);
});
