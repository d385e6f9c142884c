import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { User } from "../../src/api/records.ts";
import { jsonResponse, settle } from "../browser.ts";
import { ANN, BEN, CHECK_OUT, CID, END, endPage, Library, openDesk, SERVICE_POINT, USERS, unresolved } from "./desk.ts";

const START = "2026-11-23T10:00:00.000Z";

let library: Library;
beforeEach(() => {
  vi.useFakeTimers({ now: new Date(START) });
  library = new Library();
});

const lent = () => library.lent.map(({ item, to }) => [item, to]);

describe("order", () => {
  test("items that are scanned while the card is looked up are that patron's", async () => {
    const desk = await openDesk();
    const lookedUp = unresolved();
    library.lookedUp = lookedUp.promise;
    await desk.scan(ANN, "1", "2");
    expect(lent()).toEqual([]);
    lookedUp.resolve();
    await settle();
    expect(desk.visit.get().patron?.id).toBe("ann");
    expect(lent()).toEqual([
      ["1", ANN],
      ["2", ANN],
    ]);
  });

  test("the next patron's card waits until the visit before has its answers and has ended", async () => {
    const desk = await openDesk();
    const decided = unresolved();
    library.decided = decided.promise;
    await desk.scan(ANN, "1");
    desk.requestVisitEnd();
    await desk.scan(BEN, "2");
    expect(desk.visit.get().patron?.id).toBe("ann");
    expect(library.network.callsTo(USERS)).toHaveLength(1);
    decided.resolve();
    await settle();
    expect(desk.visit.get().patron?.id).toBe("ben");
    expect(lent()).toEqual([
      ["1", ANN],
      ["2", BEN],
    ]);
    expect(library.network.callsTo(END).map(({ body }) => body)).toEqual([
      { endSessions: [{ patronId: "ann", actionType: "Check-out" }] },
    ]);
  });

  test("who presses Escape twice ends one visit, and who presses it before any has ended none", async () => {
    const desk = await openDesk();
    desk.requestVisitEnd();
    expect(desk.inbox.get()).toEqual([]);
    const lookedUp = unresolved();
    library.lookedUp = lookedUp.promise;
    await desk.scan(ANN);
    desk.requestVisitEnd();
    desk.requestVisitEnd();
    await desk.scan("1");
    expect(desk.inbox.get()).toHaveLength(3);
    lookedUp.resolve();
    await settle();
    // After the end of Ann's visit, what is scanned is looked up as a card.
    expect(desk.visit.get()).toMatchObject({ before: { patron: { id: "ann" } } });
    expect(desk.cardLookup.get().now).toMatchObject({ text: "1" });
  });
});

describe("cards", () => {
  test("the patron's own card, scanned once more, is no item", async () => {
    const desk = await openDesk();
    await desk.scan(ANN, ANN, "1", ANN);
    expect(lent()).toEqual([["1", ANN]]);
    expect(library.network.callsTo(CHECK_OUT)).toHaveLength(1);
  });

  test("after a card that is nobody's the next scan is a card again", async () => {
    const desk = await openDesk();
    await desk.scan("27009999999999");
    expect(desk.cardLookup.get().now).toMatchObject({ is: "found", found: { users: [] } });
    await desk.scan(BEN, "1");
    expect(lent()).toEqual([["1", BEN]]);
  });

  test("of several with that name, one is chosen, and the name itself is not taken for an item", async () => {
    const desk = await openDesk();
    await desk.scan("Lee");
    const { now } = desk.cardLookup.get();
    expect(now?.is === "found" && now.found.users.map(({ id }) => id)).toEqual(["ann", "ben"]);
    if (now?.is === "found") desk.welcomePatron(now.found.users[1] as User, "Lee");
    await desk.scan("1");
    expect(lent()).toEqual([["1", BEN]]);
    expect(library.network.callsTo(CHECK_OUT)).toHaveLength(1);
  });

  test("a card among the items waits for a decision, with everything after it", async () => {
    const desk = await openDesk();
    await desk.scan(ANN, "1", BEN, "2", "3");
    expect(desk.states()).toEqual(["1 done", `${BEN} card`, "2 waiting", "3 waiting"]);
    const card = desk.checkOuts.scans.get()[1];
    if (card?.state.is !== "card") throw new Error("no card");
    desk.switchToPatron(card, card.state.owner);
    await desk.scan("4");
    expect(desk.visit.get().patron?.id).toBe("ben");
    expect(library.network.callsTo(END)[0]?.body).toMatchObject({ endSessions: [{ patronId: "ann" }] });
    expect(lent()).toEqual([
      ["1", ANN],
      ["2", BEN],
      ["3", BEN],
      ["4", BEN],
    ]);
  });

  test("a visit that begins on a patron's page ends the one of another patron, and not the patron's own", async () => {
    const desk = await openDesk();
    await desk.scan(ANN, "1");
    const ann = desk.visit.get().patron;
    desk.continueWithPatron(ann as User);
    await settle();
    expect(library.network.callsTo(END)).toEqual([]);
    expect(desk.states()).toEqual(["1 done"]);
    desk.continueWithPatron({ id: "ben", username: "ben", barcode: BEN });
    await desk.scan("2");
    expect(library.network.callsTo(END)[0]?.body).toMatchObject({ endSessions: [{ patronId: "ann" }] });
    expect(lent()).toEqual([
      ["1", ANN],
      ["2", BEN],
    ]);
  });

  test("a visit with such a card does not end before somebody has said whose it is", async () => {
    const desk = await openDesk();
    await desk.scan(ANN, BEN, "2");
    desk.requestVisitEnd();
    await desk.scan(CID);
    expect(desk.visit.get().patron?.id).toBe("ann");
    desk.checkOuts.remove(desk.checkOuts.scans.get()[0]?.key ?? "");
    await settle();
    expect(lent()).toEqual([["2", ANN]]);
    expect(desk.visit.get().patron?.id).toBe("cid");
  });
});

describe("lost answers", () => {
  /** The library lends it, and the answer never arrives; the next one does. */
  function loseOneAnswer(): void {
    library.network.answerWith(CHECK_OUT, (asked) => {
      library.checkOut(asked);
      library.network.answerWith(CHECK_OUT, (again) => library.checkOut(again));
      throw new TypeError("Failed to fetch");
    });
  }

  test("a loan that was made all the same is found, and told as one", async () => {
    const desk = await openDesk();
    loseOneAnswer();
    await desk.scan(ANN, "1", "2");
    expect(desk.states()).toEqual(["1 kept", "2 waiting"]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(desk.states()).toEqual(["1 done", "2 done"]);
    expect(lent()).toEqual([
      ["1", ANN],
      ["2", ANN],
    ]);
  });

  test("somebody else's loan is not taken for it", async () => {
    const desk = await openDesk();
    library.lent.push({ item: "1", to: CID, at: START });
    library.network.answerWith(CHECK_OUT, () => {
      library.network.answerWith(CHECK_OUT, (again) => library.checkOut(again));
      throw new TypeError("Failed to fetch");
    });
    await desk.scan(ANN, "1");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(desk.states()).toEqual(["1 refused"]);
  });

  test("nor is one of the same patron from before the scan", async () => {
    const desk = await openDesk();
    library.lent.push({ item: "1", to: ANN, at: "2026-11-23T09:58:00Z" });
    library.network.answerWith(CHECK_OUT, () => {
      library.network.answerWith(CHECK_OUT, (again) => library.checkOut(again));
      throw new TypeError("Failed to fetch");
    });
    await desk.scan(ANN, "1");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(desk.states()).toEqual(["1 refused"]);
  });
});

test("a reload loses neither the card that is looked up nor what was scanned after it", async () => {
  const before = await openDesk();
  library.lookedUp = unresolved().promise;
  await before.scan(ANN, "1");
  before.requestVisitEnd();
  await before.scan(BEN, "2");
  endPage();
  library.lookedUp = Promise.resolve();

  const after = await openDesk();
  await settle();
  expect(lent()).toEqual([
    ["1", ANN],
    ["2", BEN],
  ]);
  expect(after.visit.get().patron?.id).toBe("ben");
});

describe("without a connection", () => {
  async function cutOff() {
    const desk = await openDesk();
    library.network.isUp = false;
    return desk;
  }

  test("a visit begins with the bare card, ends, and goes out later, each loan dated from its scan", async () => {
    const desk = await cutOff();
    await desk.scan(ANN);
    expect(desk.cardLookup.get().now?.is).toBe("unreachable");
    desk.startUnknownVisit(ANN);
    await desk.scan("1", "2");
    desk.requestVisitEnd();
    await settle();
    expect(desk.visit.get()).toMatchObject({ before: { patron: { barcode: ANN } } });
    expect(desk.states()).toEqual(["1 kept", "2 waiting"]);

    await vi.advanceTimersByTimeAsync(60_000);
    library.network.isUp = true;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(library.lent).toEqual([
      { item: "1", to: ANN, at: START },
      { item: "2", to: ANN, at: START },
    ]);
    // Lent as expected, and its patron has gone: nobody needs to see it.
    expect(desk.states()).toEqual([]);
  });

  test("what was refused after its visit stays after the sign-out, until staff remove it", async () => {
    const desk = await cutOff();
    await desk.scan(ANN);
    desk.startUnknownVisit(ANN);
    await desk.scan("1", "2", "3");
    const keyOf = (barcode: string) => desk.checkOuts.scans.get().find((scan) => scan.barcode === barcode)?.key ?? "";
    desk.checkOuts.noteExpectedDue(keyOf("2"), "2026-12-01T23:59:59Z");
    desk.requestVisitEnd();
    library.lent.push({ item: "1", to: BEN, at: undefined });
    library.network.isUp = true;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(desk.states()).toEqual(["1 refused", "2 done"]);

    endPage();
    sessionStorage.clear();
    const next = await openDesk();
    expect(next.states()).toEqual(["1 refused", "2 done"]);
    next.checkOuts.remove(keyOf("1"));
    endPage();
    sessionStorage.clear();
    expect((await openDesk()).states()).toEqual(["2 done"]);
    expect(library.network.callsTo(CHECK_OUT).map(({ body }) => body.itemBarcode)).toEqual(["1", "2", "3"]);
  });

  test("an item that is scanned before anybody has said whose the card is waits, and is not taken for a card", async () => {
    vi.spyOn(caches, "open").mockResolvedValue({
      match: async () =>
        jsonResponse({ kinds: [{ materialTypeId: "m", loanTypeId: "l", locationId: "s", barcodes: ["1"] }] }),
    } as unknown as Cache);
    const desk = await cutOff();
    await desk.scan(ANN, "1");
    expect(desk.inbox.get()).toHaveLength(2);
    library.network.isUp = true;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(lent()).toEqual([["1", ANN]]);
  });

  test("what looked like a card is sent when the server can say what it is", async () => {
    vi.spyOn(caches, "open").mockResolvedValue({
      match: async () =>
        jsonResponse({ kinds: [{ materialTypeId: "m", loanTypeId: "l", locationId: "s", barcodes: ["1"] }] }),
    } as unknown as Cache);
    const desk = await openDesk();
    await desk.scan(ANN);
    library.network.isUp = false;
    await desk.scan("1", BEN, "2");
    // The first of them finds out that the connection is lost; the card was taken for an item before.
    await vi.advanceTimersByTimeAsync(100);
    expect(desk.states()).toEqual(["1 kept", `${BEN} card`, "2 waiting"]);
    await desk.scan(BEN);
    expect(desk.states().at(-1)).toBe(`${BEN} card`);
    library.network.isUp = true;
    await vi.advanceTimersByTimeAsync(4_000);
    const cards = desk.checkOuts.scans.get().filter(({ state }) => state.is === "card");
    expect(cards.map(({ state }) => state)).toMatchObject([{ owner: { id: "ben" } }]);
  });
});

test("in an outage longer than the sign-in, scanning goes on over the question for the password, and nothing is lost", async () => {
  const desk = await openDesk();
  const self = {
    user: { id: "staff", username: "staff" },
    servicePointsUser: { servicePoints: [{ id: SERVICE_POINT }] },
  };
  let holds = false;
  const expiring = (answer: () => Response) => () =>
    holds ? answer() : new Response("Token missing, access requires permission", { status: 401 });
  library.network
    .answerWith("POST /authn/login-with-expiry", () => jsonResponse({}, 201))
    .answerWith("POST /authn/refresh", () => jsonResponse({ errors: [] }, 422))
    .answerWith(
      "GET /bl-users/_self",
      expiring(() => jsonResponse(self)),
    )
    .answerWith("GET /perms/users/staff/permissions", () => jsonResponse({ permissionNames: ["circulation.all"] }))
    .answerWith(CHECK_OUT, (asked) => expiring(() => library.checkOut(asked))());
  const client = new QueryClient();
  holds = true;
  await desk.signIn(client, "diku", "staff", "password");
  await desk.scan(ANN, "1");

  holds = false;
  await desk.scan("2", "3");
  expect(desk.session.get()).toMatchObject({ is: "in", expired: true });
  await vi.advanceTimersByTimeAsync(120_000);
  await desk.scan("4");
  desk.requestVisitEnd();
  await desk.scan(BEN, "5");
  expect(lent()).toEqual([["1", ANN]]);

  holds = true;
  await desk.signIn(client, "diku", "staff", "password");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(desk.session.get()).toMatchObject({ is: "in", expired: false });
  expect(lent()).toEqual([
    ["1", ANN],
    ["2", ANN],
    ["3", ANN],
    ["4", ANN],
    ["5", BEN],
  ]);
});
