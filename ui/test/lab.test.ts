/** The laboratory's runs, by keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axe, enter, type Library, openLibrary } from "./library.ts";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

test("a run is shown with its figures and lines, and beside another", async () => {
  const page = await library.visit();
  await enter(library, page);
  await page.goto(`${library.address}/desk/today`);
  await page.getByRole("link", { name: /laboratory's runs/ }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Laboratory" }).waitFor();
  // The newest first.
  await page.getByText("octavo 0.2.0 · ").waitFor();
  const calls = page.getByRole("table", { name: "Calls" }).first();
  await calls.getByRole("row", { name: /^POST check-out-by-barcode 480/ }).waitFor();
  assert.equal(await page.getByRole("img", { name: /Average over the time/ }).count(), 2, "a drawing for each test");
  assert.deepEqual(await axe(page), []);

  await page.getByRole("button", { name: /Beside it/ }).press("Enter");
  await page.getByRole("option", { name: /octavo 0\.1\.0/ }).press("Enter");
  await page.waitForURL(/with=check-in-check-out-before/);
  await calls.getByRole("cell", { name: "-20%" }).first().waitFor();
  assert.deepEqual(await axe(page), []);
});

test("nothing is cut off at a phone", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await enter(library, page);
  await page.goto(`${library.address}/desk/lab?with=check-in-check-out-before`);
  await page.getByRole("table").first().waitFor();
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(over <= 0, `the page is ${over} pixels too wide`);
  assert.deepEqual(await axe(page), []);
});
