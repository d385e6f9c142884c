/** How quick and how quiet the desk is: what the first visit fetches, and that nothing jumps about. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { enter, type Library, openLibrary, row, scan } from "./library.ts";

const FREYA = "27001000000445";
const BELOVED = "37001000000096";
const REFERENCE = "37001000000294";
const BUDGET = 300 * 1024;

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

test("the scripts of a first visit stay within their budget", async (context) => {
  if (process.env.OCTAVO_DESK) return context.skip("a server for development compresses nothing");
  const page = await library.visit();
  await page.goto(`${library.address}/desk`);
  await page.getByRole("button", { name: "Look around the demo library" }).waitFor();
  const door = await page.evaluate(() => {
    const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    const scripts = (performance.getEntriesByType("resource") as PerformanceResourceTiming[]).filter(({ name }) =>
      name.endsWith(".js"),
    );
    const bytes = scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return { ms: Math.round(visit?.loadEventEnd ?? 0), bytes };
  });
  assert.ok(door.bytes > 10_000, "scripts are counted");
  assert.ok(door.bytes < BUDGET, `the door fetches ${door.bytes} bytes of scripts`);
  context.diagnostic(`first load: ${door.ms} ms, ${Math.round(door.bytes / 1024)} KB of scripts`);
});

/** What has moved without being asked to, by the browser's own count. Lists grow at their top: that is what they are for. */
const SHIFTS = () => {
  const shifts: string[] = [];
  Object.assign(window, { shifts });
  interface Shift extends PerformanceEntry {
    sources: { node?: Node | null }[];
  }
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries() as Shift[]) {
      for (const { node } of sources) {
        const element = node instanceof Element ? node : node?.parentElement;
        if (!element?.closest(".rows, .session-end")) shifts.push(element?.outerHTML.slice(0, 120) ?? "gone");
      }
    }
  }).observe({ type: "layout-shift", buffered: true });
};

test("nothing at the desk jumps while answers come in", async () => {
  const page = await library.visit();
  await enter(library, page);
  await page.addInitScript(SHIFTS);
  await page.goto(`${library.address}/desk/check-out`);
  await page.locator("main input:focus").waitFor();
  await scan(page, FREYA);
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
  await scan(page, BELOVED, REFERENCE);
  await row(page, REFERENCE).getByText("Not checked out").waitFor();
  await page.waitForLoadState("networkidle");
  const shifts = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);
  assert.deepEqual(shifts, []);
});
