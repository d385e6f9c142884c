/**
 * Eight hours at the desk, played as fast as keys can be sent: one tab checks out, another checks in. Tokens expire all
 * the time, and the network fails four times. Each scan is answered or waits, in order, and none is lost: in the end
 * the server's loans and check-ins are compared with what was scanned, and the memory of both tabs with that after the
 * first tenth. 200 scans; `OCTAVO_DAY=1` plays all 2,000, on a quiet computer more than 20 times as fast as a day.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { enterByDoor, type Library, openLibrary, type Page, scan, scanQuickly } from "../library.ts";

const WHOLE = Boolean(process.env.OCTAVO_DAY);
const SCANS = WHOLE ? 2000 : 200;
/**
 * The memory of a tab may differ by so many megabytes from that after the first tenth, for scripts that are loaded
 * later and pages in use.
 */
const MEMORY_MB = 4;
/** FOLIO's ten minutes, 25 times as fast; in the short run tokens are over every few scans. */
const ACCESS_SECONDS = WHOLE ? 24 : 4;
const REFRESH_SECONDS = WHOLE ? 48 : 12;
/** Of the faculty, with nothing against them. */
const CARDS = [15, 23, 31, 49, 56, 64, 72, 106].map((number) => `27001000000${String(number).padStart(3, "0")}`);
const ITEMS_A_VISIT = 4;
/** What somebody takes home comes back this many visits later. */
const VISITS_OUT = 3;

let library: Library;
before(async () => {
  library = await openLibrary(
    ...["--access-token-seconds", `${ACCESS_SECONDS}`],
    ...["--refresh-token-seconds", `${REFRESH_SECONDS}`],
  );
});
after(() => library?.close());

const pause = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));
const countScans = (visits: Visit[]) => visits.reduce((sum, { items }) => sum + 1 + 2 * items.length, 0);

interface Visit {
  card: string;
  items: string[];
}

/** What has been scanned, in order. */
interface Scanned {
  lent: { card: string; item: string }[];
  returned: string[];
}

interface Memory {
  megabytes: number;
  nodes: number;
}

const memoryText = (memory: Memory[]) =>
  memory.map(({ megabytes, nodes }) => `${megabytes.toFixed(1)} MB, ${nodes} nodes`).join(" and ");

/** Two tabs of one browser, and what goes over its network. */
class Desk {
  readonly out: Page;
  readonly back: Page;
  readonly scanned: Scanned = { lent: [], returned: [] };
  /** What the server said to those that asked for new tokens. */
  readonly refreshes: number[] = [];
  /** Answers of the server that never came. */
  lost = 0;
  private refreshing = 0;
  private offline = false;

  constructor(out: Page, back: Page) {
    this.out = out;
    this.back = back;
    const isRefresh = (asked: { url: () => string }) => asked.url().endsWith("/authn/refresh");
    const ended = (request: { url: () => string }) => {
      if (isRefresh(request)) this.refreshing--;
    };
    out.context().on("request", (request) => void (isRefresh(request) && this.refreshing++));
    out.context().on("requestfinished", ended);
    out.context().on("requestfailed", ended);
    out.context().on("response", (answer) => void (isRefresh(answer) && this.refreshes.push(answer.status())));
  }

  async lend({ card, items }: Visit, how = scan): Promise<void> {
    await scan(this.out, card);
    if (this.offline) await this.out.getByRole("button", { name: `Begin with card ${card}` }).press("Enter");
    for (const item of items) {
      await how(this.out, item);
      this.scanned.lent.push({ card, item });
    }
    await this.out.keyboard.press("Escape");
  }

  async takeBack(items: string[]): Promise<void> {
    for (const item of items) {
      await scan(this.back, item);
      this.scanned.returned.push(item);
    }
  }

  async goOffline(): Promise<void> {
    // A refresh token whose exchange got no answer is used up: only a password would help.
    while (this.refreshing > 0) await pause(0.02);
    this.offline = true;
    await this.out.context().setOffline(true);
  }

  async goOnline(): Promise<void> {
    this.offline = false;
    await this.out.context().setOffline(false);
  }

  /** The server does it, and the answer is lost on its way. */
  async loseAnswers(page: Page, path: string, times: number): Promise<void> {
    const session = await page.context().newCDPSession(page);
    let left = times;
    session.on("Fetch.requestPaused", ({ requestId }) => {
      if (left-- > 0) {
        this.lost++;
        void session.send("Fetch.failRequest", { requestId, errorReason: "ConnectionReset" });
      } else void session.send("Fetch.continueRequest", { requestId });
    });
    await session.send("Fetch.enable", { patterns: [{ urlPattern: `*${path}`, requestStage: "Response" }] });
  }

  /** The memory of each tab when nothing more can be cleared: megabytes of JavaScript, elements and texts of pages. */
  async memory(): Promise<Memory[]> {
    const measured: Memory[] = [];
    for (const page of [this.out, this.back]) {
      const session = await page.context().newCDPSession(page);
      await session.send("HeapProfiler.collectGarbage");
      const { usedSize } = await session.send("Runtime.getHeapUsage");
      const { nodes } = await session.send("Memory.getDOMCounters");
      await session.detach();
      measured.push({ megabytes: usedSize / 2 ** 20, nodes });
    }
    return measured;
  }

  /** Waits until everything that was scanned has been answered; says what has not been, if it takes too long. */
  async isQuiet(): Promise<void> {
    for (const [page, ...names] of [
      [this.out, "octavo.check-out.scans", "octavo.check-out.inbox"],
      [this.back, "octavo.check-in.scans"],
    ] as const) {
      const unanswered = () =>
        page.evaluate(
          (names) =>
            names
              .flatMap((name) => JSON.parse(sessionStorage[name] ?? "[]"))
              .filter((scan) => !["done", "refused"].includes(scan.state?.is)),
          names,
        );
      const deadline = Date.now() + 120_000;
      for (let left = await unanswered(); left.length > 0; left = await unanswered()) {
        if (Date.now() > deadline) assert.fail(`unanswered: ${JSON.stringify(left)}`);
        await pause(0.1);
      }
    }
  }
}

async function open(): Promise<Desk> {
  const out = await library.visit();
  await enterByDoor(library, out);
  // What is needed without a connection is at hand.
  await out.waitForFunction(async () => (await (await caches.open("octavo-luggage")).keys()).length === 2);
  const back = await out.context().newPage();
  await back.goto(`${library.address}/desk/check-in`);
  await back.locator("main input:focus").waitFor();
  return new Desk(out, back);
}

/** Each copy goes round: it is lent again when it has come back. */
function planVisits(copies: string[]): Visit[] {
  const all: Visit[] = [];
  for (let place = 0; countScans(all) < SCANS; place++) {
    const items = Array.from(
      { length: ITEMS_A_VISIT },
      (_, one) => copies[(place * ITEMS_A_VISIT + one) % copies.length],
    );
    all.push({ card: CARDS[place % CARDS.length] ?? "", items: items.filter((item) => item !== undefined) });
  }
  return all;
}

/** What happens to the network during the visit of a number. */
async function visitWithFailure(desk: Desk, visit: Visit, failure: number): Promise<void> {
  switch (failure) {
    case 1: {
      // Away for a moment.
      await desk.goOffline();
      await desk.lend(visit);
      return desk.goOnline();
    }
    case 2: {
      // Answers are lost, of loans and returns.
      await desk.loseAnswers(desk.out, "/circulation/check-out-by-barcode", 2);
      await desk.loseAnswers(desk.back, "/circulation/check-in-by-barcode", 2);
      return desk.lend(visit);
    }
    case 3: {
      // Longer than an access token.
      await desk.goOffline();
      await desk.lend(visit);
      await pause(ACCESS_SECONDS + 1);
      return desk.goOnline();
    }
    default: {
      // Longer than both tokens: scanning goes on over the question for the password.
      await desk.goOffline();
      const [first = "", ...others] = visit.items;
      await desk.lend({ ...visit, items: [first] });
      await pause(REFRESH_SECONDS + 1);
      await desk.goOnline();
      const password = desk.out.getByRole("dialog").getByLabel("Password");
      await password.waitFor();
      await scanQuickly(desk.out, visit.card);
      for (const item of others) {
        await scanQuickly(desk.out, item);
        desk.scanned.lent.push({ card: visit.card, item });
      }
      await password.fill("admin");
      await password.press("Enter");
      for (const page of [desk.out, desk.back]) await page.getByRole("dialog").waitFor({ state: "detached" });
      await desk.out.keyboard.press("Escape");
    }
  }
}

test(`a day at the desk: ${SCANS} scans, and none is lost`, async (context) => {
  const all = planVisits(await library.lendable());
  const before = await scannedRecords();
  const desk = await open();
  const began = Date.now();
  const failures = new Map([1, 2, 3, 4].map((failure) => [Math.floor((all.length * failure) / 5), failure]));
  const memory: Memory[][] = [];
  for (const [place, visit] of all.entries()) {
    const failure = failures.get(place);
    if (failure !== undefined) await visitWithFailure(desk, visit, failure);
    else await desk.lend(visit);
    await desk.takeBack(all[place - VISITS_OUT]?.items ?? []);
    if (place % 5 === 4) {
      // Whoever ends the pile has seen where the last item goes.
      await desk.back.getByRole("button", { name: "End session", disabled: false }).waitFor();
      await desk.back.keyboard.press("Escape");
      memory.push(await desk.memory());
    }
    // Somebody is asked for a book, and nothing is scanned for longer than a token lives.
    if (place === 1) await pause(ACCESS_SECONDS + 1);
  }
  await desk.isQuiet();
  const seconds = (Date.now() - began) / 1000;
  const { lent, returned } = await scannedRecords();
  context.diagnostic(
    `${lent.length - before.lent.length} loans and ${returned.length - before.returned.length} returns in ${seconds.toFixed(0)} s, tokens renewed ${desk.refreshes.length} times`,
  );
  assert.deepEqual(lent.slice(before.lent.length), desk.scanned.lent);
  assert.deepEqual(returned.slice(before.returned.length), desk.scanned.returned);
  assert.equal(desk.lost, 4);
  const [early = [], late = []] = [memory[Math.floor(memory.length / 10)], memory.at(-1)];
  context.diagnostic(`memory of the tabs: ${memoryText(early)} after the first tenth, ${memoryText(late)} at the end`);
  for (const [tab, { megabytes }] of late.entries()) {
    assert.ok(megabytes < (early[tab]?.megabytes ?? 0) + MEMORY_MB, memory.map(memoryText).join("\n"));
  }
  // Two tabs never exchange the same refresh token, and one password in a day was enough.
  const refused = desk.refreshes.filter((status) => status !== 201);
  assert.ok(refused.length <= 2, `refused: ${desk.refreshes}`);
  assert.ok(desk.refreshes.length > seconds / ACCESS_SECONDS / 4, `${desk.refreshes.length} refreshes`);
});

/** The server's loans and check-ins, in their order. */
async function scannedRecords(): Promise<Scanned> {
  const { loans } = await library.call<{ loans: { borrower?: { barcode: string }; item: { barcode: string } }[] }>(
    `/circulation/loans?limit=10000&query=${encodeURIComponent("cql.allRecords=1 sortBy loanDate")}`,
  );
  const { checkIns } = await library.call<{ checkIns: { itemId: string; occurredDateTime: string }[] }>(
    "/check-in-storage/check-ins?limit=10000",
  );
  const { items } = await library.call<{ items: { id: string; barcode: string }[] }>("/inventory/items?limit=1000");
  const barcodes = new Map(items.map(({ id, barcode }) => [id, barcode]));
  const inOrder = checkIns.toSorted((one, other) => one.occurredDateTime.localeCompare(other.occurredDateTime));
  return {
    lent: loans.map(({ borrower, item }) => ({ card: borrower?.barcode ?? "", item: item.barcode })),
    // One whose answer was lost is done once more; nothing else comes back twice running.
    returned: inOrder
      .map(({ itemId }) => barcodes.get(itemId) ?? "")
      .filter((barcode, place, all) => barcode !== all[place - 1]),
  };
}
