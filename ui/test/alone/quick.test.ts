/** How quick and how quiet the desk is: what the first visit fetches, and that nothing jumps about. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { enterByDoor, type Library, openLibrary, type Page, row, scan, waitUntilQuiet } from "../library.ts";

const FREYA = "27001000000445";
const BELOVED = "37001000000096";
const REFERENCE = "37001000000294";
const BUDGET = 300 * 1024;
const SECOND = 1000;
/** From a scan to its answer on the screen, at p95. */
const GOAL_MS = 50;
const PAGES: Record<string, string> = {
  "check-in": "Check in",
  patrons: "Patrons",
  inventory: "Inventory",
  requests: "Requests",
  rules: "Circulation rules",
  today: "Today",
};

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

/** What a page has fetched so far: bytes of scripts as they travel, and when it was there, in milliseconds. */
const loadedBytes = (page: Page) =>
  page.evaluate(() => {
    const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const scripts = (performance.getEntriesByType("resource") as PerformanceResourceTiming[]).filter(({ name }) =>
      name.endsWith(".js"),
    );
    const bytes = scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return { ms: Math.round(visit?.loadEventEnd ?? 0), bytes };
  });

const kilobytes = (bytes: number) => `${Math.round(bytes / 1024)} KB`;

test("a first visit is there within a second, and its scripts stay within their budget", async (context) => {
  if (process.env.OCTAVO_DESK) return context.skip("a server for development compresses nothing");
  const visits: { ms: number; bytes: number }[] = [];
  for (let visit = 0; visit < 3; visit++) {
    const page = await library.visit();
    await page.goto(`${library.address}/desk`);
    await page.getByRole("button", { name: "Look around the demo library" }).waitFor();
    visits.push(await loadedBytes(page));
    await page.context().close();
  }
  const times = visits.map(({ ms }) => ms);
  const [{ bytes } = { bytes: 0 }] = visits;
  context.diagnostic(`first load: ${times.join(", ")} ms, ${kilobytes(bytes)} of scripts`);
  assert.ok(bytes > 10_000, "scripts are counted");
  assert.ok(bytes < BUDGET, `the door fetches ${bytes} bytes of scripts`);
  // The quickest: what else the machine does is not the desk's.
  assert.ok(Math.min(...times) < SECOND, `first loads took ${times.join(", ")} ms`);
});

test("every page of the desk's daily work stays within the budget", async (context) => {
  if (process.env.OCTAVO_DESK) return context.skip("a server for development compresses nothing");
  const page = await library.visit();
  await enterByDoor(library, page);
  // Once somebody is in, the pages are fetched while nothing else happens.
  for (const [path, name] of Object.entries(PAGES)) {
    await page.getByRole("link", { name, exact: true }).press("Enter");
    await page.waitForURL(new RegExp(`/desk/${path}`));
  }
  await waitUntilQuiet(page);
  // Those that the desk keeps for itself are counted by the browser as they are when unpacked: the server is asked.
  const names = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  let bytes = 0;
  for (const name of new Set(names.filter((name) => name.endsWith(".js")))) {
    const answer = await fetch(name, { headers: { "accept-encoding": "br" } });
    bytes += Number(answer.headers.get("content-length"));
    await answer.arrayBuffer();
  }
  assert.ok(bytes > 100_000, "scripts are counted");
  context.diagnostic(`all pages of daily work: ${kilobytes(bytes)} of scripts`);
  assert.ok(bytes < BUDGET, `the pages fetch ${bytes} bytes of scripts`);
});

/** Collects the layout shifts that the browser reports. Lists are left out, since they grow at their top on purpose. */
const SHIFTS = () => {
  const shifts: string[] = [];
  Object.assign(window, { shifts });
  interface Shift extends PerformanceEntry {
    sources: { node?: Node | null; currentRect: DOMRectReadOnly }[];
  }
  const LISTS = ".rows, .session-end";
  /** A row that was replaced after it moved is recognised by its position: in a list, or below one that has grown. */
  const isOfList = ({ left, right, top }: DOMRectReadOnly) =>
    [...document.querySelectorAll(LISTS)].some((list) => {
      const around = list.getBoundingClientRect();
      return left < around.right && around.left < right && around.top <= top;
    });
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries() as Shift[]) {
      for (const { node, currentRect } of sources) {
        const element = node instanceof Element ? node : node?.parentElement;
        const expected = element ? element.closest(LISTS) : isOfList(currentRect);
        if (!expected) shifts.push(element?.outerHTML.slice(0, 120) ?? `gone from ${JSON.stringify(currentRect)}`);
      }
    }
  }).observe({ type: "layout-shift", buffered: true });
};

test("nothing at the desk jumps while answers come in", async () => {
  const page = await library.visit();
  await enterByDoor(library, page);
  await page.addInitScript(SHIFTS);
  await page.goto(`${library.address}/desk/check-out`);
  await page.locator("main input:focus").waitFor();
  await scan(page, FREYA);
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
  await scan(page, BELOVED, REFERENCE);
  await row(page, REFERENCE).getByText("Not checked out").waitFor();
  await waitUntilQuiet(page);
  const shifts = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
  assert.deepEqual(shifts, []);
});

test("nothing jumps at check-in, and nothing while a page is opened", async () => {
  const page = await library.visit();
  await enterByDoor(library, page);
  await page.addInitScript(SHIFTS);
  const shifts = () => page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
  for (const path of ["patrons?query=a", "inventory?query=the", "requests", "today"]) {
    await page.goto(`${library.address}/desk/${path}`);
    await page.locator("main h1").waitFor();
    await waitUntilQuiet(page);
    assert.deepEqual(await shifts(), [], path);
  }
  await page.goto(`${library.address}/desk/check-in`);
  await page.locator("main input:focus").waitFor();
  await scan(page, BELOVED, REFERENCE);
  await page.getByText("2 items in this session").waitFor();
  await waitUntilQuiet(page);
  assert.deepEqual(await shifts(), []);
});

test("how long a scan takes to its answer on the screen", async (context) => {
  const page = await library.visit();
  await enterByDoor(library, page);
  await scan(page, "27001000000015");
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
  for (const barcode of (await library.lendable()).slice(0, 30)) {
    const before = await page.locator(".row").count();
    await scan(page, barcode);
    await page.locator(`.row:nth-child(${before + 1}) >> visible=true`).waitFor();
    await page.waitForFunction(() => document.querySelector(".row.waiting, .row.working") === null);
  }
  const times = await page.evaluate(() =>
    performance.getEntriesByName("scan to answer").map((entry) => entry.duration),
  );
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
  const [median, p95] = [at(0.5).toFixed(1), at(0.95).toFixed(1)];
  context.diagnostic(`scan to answer, ${times.length} scans: median ${median} ms, p95 ${p95} ms`);
  assert.equal(times.length, 30);
  // The program under test is a slow build on a busy machine: judged where somebody says that it is not.
  const goal = process.env.OCTAVO_JUDGE ? GOAL_MS : GOAL_MS * 10;
  assert.ok(at(0.95) < goal, `p95 is ${p95} ms; the goal is ${goal} ms`);
});
