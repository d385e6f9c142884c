import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Span } from "../../src/offline/luggage.ts";
import { jsonResponse, Network, settle } from "../browser.ts";

const DESK = "harbour-desk";
const ITEMS = "GET /octavo/offline/items";
const DUE_DATES = "GET /octavo/offline/due-dates";
const BOOK = { materialTypeId: "book", loanTypeId: "can-circulate", locationId: "fiction" };
const DVD = { materialTypeId: "dvd", loanTypeId: "can-circulate", locationId: "media" };
const [STAFF, STUDENT] = ["staff", "student"];
const SCANNED = "2026-11-23T10:00:00Z";

/** Two policies: books are due at the end of a day, or not lent at all; discs after two hours. */
const SPANS: Record<string, Span[]> = {
  weeks: [
    { from: "2026-11-23T00:00:00Z", until: "2026-11-24T00:00:00Z", due: "2026-12-14T23:59:59Z" },
    { from: "2026-11-24T00:00:00Z", until: "2026-11-25T00:00:00Z", due: "2026-12-15T23:59:59Z" },
  ],
  hours: [{ from: "2026-11-23T00:00:00Z", until: "2026-11-26T00:00:00Z", afterSeconds: 7_200 }],
  never: [{ from: "2026-11-23T00:00:00Z", until: "2026-11-26T00:00:00Z", notLent: "Item is not loanable" }],
};

const dueDates = (staff: (number | null)[], student: (number | null)[]) => ({
  from: "2026-11-23T00:00:00Z",
  kinds: [BOOK, DVD],
  groups: [
    { id: STAFF, name: "Staff", policies: staff },
    { id: STUDENT, name: "Student", policies: student },
  ],
  policies: Object.entries(SPANS).map(([name, spans]) => ({ name, spans })),
});

let network: Network;
beforeEach(() => {
  vi.useFakeTimers({ now: new Date(SCANNED) });
  network = new Network()
    .answerWith(ITEMS, () =>
      jsonResponse({
        kinds: [
          { ...BOOK, barcodes: ["37001000000001", "37001000000002", "ab12345"] },
          { ...DVD, barcodes: ["37001000000009"] },
        ],
      }),
    )
    // Staff have books for weeks and discs for hours; students have no books, and of discs nobody knows.
    .answerWith(DUE_DATES, () => jsonResponse(dueDates([0, 1], [2, null])));
});

/** A desk that has packed, and lost its connection. */
async function openOffline() {
  const luggage = await import("../../src/offline/luggage.ts");
  const stop = luggage.keepOfflineDataFresh(DESK);
  await settle();
  network.isUp = false;
  return { ...luggage, ...(await import("../../src/offline/expected.ts")), stop };
}

describe("what is packed", () => {
  test("is asked for once, and again when it is old: due dates after an hour, items after half a day", async () => {
    const { stop } = await openOffline();
    network.isUp = true;
    expect(network.calls.map(({ route, query }) => [route, query.get("servicePointId")])).toEqual([
      [DUE_DATES, DESK],
      [ITEMS, DESK],
    ]);
    await vi.advanceTimersByTimeAsync(59 * 60_000);
    expect(network.calls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(21 * 60_000);
    expect([network.callsTo(DUE_DATES).length, network.callsTo(ITEMS).length]).toEqual([2, 1]);
    await vi.advanceTimersByTimeAsync(12 * 3_600_000);
    expect(network.callsTo(ITEMS)).toHaveLength(2);
    stop();
  });

  test("is kept as it was while the server cannot be reached, and is asked for when it can", async () => {
    const { itemKind, stop } = await openOffline();
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    expect(await itemKind("37001000000001", DESK)).toBeDefined();
    network.isUp = true;
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect([network.callsTo(DUE_DATES).length, network.callsTo(ITEMS).length]).toEqual([2, 2]);
    stop();
  });

  test("an item that was added since is known once the list has come anew", async () => {
    const { itemKind, stop } = await openOffline();
    expect(await itemKind("37001000000003", DESK)).toBeUndefined();
    network.isUp = true;
    network.answerWith(ITEMS, () => jsonResponse({ kinds: [{ ...BOOK, barcodes: ["37001000000003"] }] }));
    await vi.advanceTimersByTimeAsync(13 * 3_600_000);
    expect(await itemKind("37001000000003", DESK)).toBe("book can-circulate fiction");
    stop();
  });

  test("survives a reload, and goes when somebody signs out", async () => {
    const before = await openOffline();
    before.stop();
    vi.resetModules();
    const after = await import("../../src/offline/luggage.ts");
    expect(await after.itemKind("37001000000009", DESK)).toBe("dvd can-circulate media");
    await after.deleteOfflineData();
    vi.resetModules();
    const next = await import("../../src/offline/luggage.ts");
    expect(await next.itemKind("37001000000009", DESK)).toBeUndefined();
    expect(await next.dueDates(DESK)).toBeUndefined();
  });

  test("is of one service point", async () => {
    const { itemKind, stop } = await openOffline();
    expect(await itemKind("37001000000001", "another-desk")).toBeUndefined();
    expect(await itemKind("37001000000001", DESK)).toBeDefined();
    stop();
  });
});

describe("the due date to expect", () => {
  const asked = { barcode: "37001000000001", at: SCANNED, servicePointId: DESK, group: STAFF, borrower: undefined };

  test("is what the policy of the borrower's group makes of the item's kind", async () => {
    const { findExpectedDueDate: due } = await openOffline();
    expect(await due(asked)).toEqual({ is: "due", at: "2026-12-14T23:59:59Z" });
    expect(await due({ ...asked, barcode: "37001000000009" })).toEqual({ is: "due", at: "2026-11-23T12:00:00.000Z" });
    expect(await due({ ...asked, group: STUDENT })).toEqual({ is: "notLent", reason: "Item is not loanable" });
  });

  test("follows the time of the scan: a span ends where the next begins, and beyond the last nothing is known", async () => {
    const { findExpectedDueDate: due } = await openOffline();
    const at = async (at: string) => due({ ...asked, at });
    expect(await at("2026-11-23T23:59:59.999Z")).toEqual({ is: "due", at: "2026-12-14T23:59:59Z" });
    expect(await at("2026-11-24T00:00:00Z")).toEqual({ is: "due", at: "2026-12-15T23:59:59Z" });
    expect(await at("2026-11-25T00:00:00Z")).toEqual({ is: "unknown" });
    expect(await at("2026-11-22T23:59:59Z")).toEqual({ is: "unknown" });
  });

  test("is unknown of an item that is not listed, of a kind without a policy, of a group that is new", async () => {
    const { findExpectedDueDate: due } = await openOffline();
    expect(await due({ ...asked, barcode: "37001000000004" })).toEqual({ is: "unknown" });
    expect(await due({ ...asked, barcode: "37001000000009", group: STUDENT })).toEqual({ is: "unknown" });
    expect(await due({ ...asked, group: "alumni" })).toEqual({ is: "unknown" });
  });

  test("does not need the group where it makes no difference", async () => {
    network.answerWith(DUE_DATES, () => jsonResponse(dueDates([0, 1], [0, null])));
    const { findExpectedDueDate: due } = await openOffline();
    expect(await due({ ...asked, group: undefined })).toEqual({ is: "due", at: "2026-12-14T23:59:59Z" });
    expect(await due({ ...asked, group: undefined, barcode: "37001000000009" })).toEqual({ is: "unknown" });
  });

  test("is unknown where the borrower's registration ends before it", async () => {
    const { findExpectedDueDate: due } = await openOffline();
    const until = (expirationDate: string) => due({ ...asked, borrower: { id: "ann", expirationDate } });
    expect(await until("2026-12-01T00:00:00Z")).toEqual({ is: "unknown" });
    expect(await until("2027-01-01T00:00:00Z")).toEqual({ is: "due", at: "2026-12-14T23:59:59Z" });
  });

  test("is unknown before anything was packed", async () => {
    const { findExpectedDueDate: due } = await import("../../src/offline/expected.ts");
    expect(await due(asked)).toEqual({ is: "unknown" });
  });

  test("was wrong if the server's is a minute from it or more", async () => {
    const { differsFromExpected } = await import("../../src/offline/expected.ts");
    expect(differsFromExpected("2026-12-14T23:59:59Z", "2026-12-14T23:59:00.500+00:00")).toBe(false);
    expect(differsFromExpected("2026-12-14T23:59:59Z", "2026-12-14T23:58:59Z")).toBe(true);
    expect(differsFromExpected("2026-12-14T23:59:59Z", "2026-12-15T00:59:59+01:00")).toBe(false);
    expect(differsFromExpected(undefined, "2026-12-14T23:59:59Z")).toBe(false);
  });
});

describe("whether a scan is an item or a card", () => {
  const guess = async (barcode: string, card?: string) => {
    const { stop } = await openOffline();
    stop();
    const { guessCardOrItem } = await import("../../src/offline/cards.ts");
    return guessCardOrItem(barcode, card, DESK);
  };

  test("what is listed is an item, in large letters or small ones, even if it looks like a card", async () => {
    expect(await guess("AB12345")).toBe("item");
    expect(await guess("37001000000001", "37001999999999")).toBe("item");
  });

  test("what looks like the visit's card, and like no item, is a card", async () => {
    expect(await guess("27001000000002", "27001000000445")).toBe("card");
  });

  test("where cards look like items, nobody knows", async () => {
    expect(await guess("37001000000777", "37001999999999")).toBeUndefined();
  });

  test("before a visit has a card, and without a list, nobody knows", async () => {
    expect(await guess("27001000000002")).toBeUndefined();
    const { guessCardOrItem } = await import("../../src/offline/cards.ts");
    expect(await guessCardOrItem("27001000000002", "27001000000445", "another-desk")).toBeUndefined();
  });
});
