/** The board of the day. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axe, enter, type Library, openLibrary, row, scan } from "./library.ts";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

test("what goes out and comes back is counted, and leads on", async () => {
  const page = await library.visit();
  await enter(library, page);
  await scan(page, "27001000000445");
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
  await scan(page, "37001000000096");
  await row(page, "Beloved").getByText(/^due /).waitFor();
  await page.keyboard.press("Alt+h");
  await page.getByRole("figure", { name: "1 lent today" }).waitFor();
  await page.getByRole("figure", { name: "0 returned today" }).waitFor();
  await page.getByRole("figure", { name: /^\d+ requests took 500 ms or more$/ }).waitFor();
  await page.getByText(/^[1-9]\d* overdue in the whole library$/).waitFor();
  assert.deepEqual(await axe(page), []);
  await page.getByRole("link", { name: "waiting on the hold shelf" }).press("Enter");
  await page.getByText("The hold shelf of this service point is empty.").waitFor();
});

test("nothing is cut off at a phone", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await enter(library, page);
  await page.goto(`${library.address}/desk/today`);
  await page.getByRole("figure").first().waitFor();
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(over <= 0, `the page is ${over} pixels too wide`);
  assert.deepEqual(await axe(page), []);
});
