/** Control and K: one box for any card, title, request, setting or page; and the search of the settings. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  axeViolations,
  enterDesk,
  type Library,
  openLibrary,
  type Page,
  row,
  scan,
  scanQuickly,
  waitForFocus,
} from "./library.ts";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

async function open(page: Page): Promise<void> {
  await page.keyboard.press("Control+k");
  await waitForFocus(page, page.getByRole("combobox"));
}

test("a card, a page and a setting are opened by keyboard alone", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await open(page);
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.type("27001000000445");
  await page.getByRole("option", { name: /Freya Nielsen/, selected: true }).waitFor();
  await page.getByText(/\d+ found/).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Freya Nielsen", level: 1 }).waitFor();

  await open(page);
  await page.keyboard.type("check in");
  await page.getByRole("option", { name: /^Check in/, selected: true }).waitFor();
  await page.getByText(/\d+ found/).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/check-in$/);

  await open(page);
  await page.keyboard.type("service points");
  await page.getByRole("option", { name: /^Service points/, selected: true }).waitFor();
  await page.getByText(/\d+ found/).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Service points" }).waitFor();
});

test("a title is found by its words and by the barcode of a copy, chosen with the arrow keys", async () => {
  const page = await library.visit();
  await enterDesk(library, page, "/patrons");
  await open(page);
  await page.keyboard.type("37001000000096");
  await page.getByRole("option", { name: /^Beloved/ }).waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("pride and prejudice");
  await page
    .getByRole("option", { name: /Pride and prejudice/ })
    .first()
    .waitFor();
  await page.getByText(/\d+ found/).waitFor();
  const chosen = () => page.getByRole("option", { selected: true }).textContent();
  const first = await chosen();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  assert.equal(await chosen(), first);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /Pride and prejudice/, level: 1 }).waitFor();
});

test("a scan over the open box goes to its session, and Escape gives the focus back to the scan field", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await scan(page, "27001000000445");
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
  await open(page);
  await scanQuickly(page, "37001000000294");
  await page.keyboard.press("Escape");
  await row(page, "37001000000294").getByText("Not checked out to Freya Nielsen").waitFor();
  await page.locator(".scan input:focus").waitFor();
});

test("settings are found by their names and by the fields of their forms", async () => {
  const page = await library.visit();
  await enterDesk(library, page, "/check-in");
  await page.keyboard.press("Alt+s");
  await page.getByRole("searchbox", { name: "Find a setting" }).fill("grace");
  await page.getByText(/^\d+ settings?$/).waitFor();
  await page.getByRole("link", { name: "Loan policies" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Calendars" }).count(), 0);
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("searchbox").fill("xyzzy");
  await page.getByText("No setting is about “xyzzy”.").waitFor();
});
