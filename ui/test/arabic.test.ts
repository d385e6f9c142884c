/** The desk in Arabic, from right to left: to a check-out by keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  axeViolations,
  type Library,
  openLibrary,
  type Page,
  pressButton,
  row,
  SERVICE_POINT,
  scan,
  waitUntilQuiet,
} from "./library.ts";

const FREYA = "27001000000445";
const BELOVED = "37001000000096";
const REFERENCE = "37001000000294";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

/** Chosen as at the round button: kept in the browser. */
async function openInArabic(): Promise<Page> {
  const page = await library.visit();
  await page.addInitScript(() => localStorage.setItem("octavo.preferences", JSON.stringify({ language: "ar" })));
  return page;
}

async function enter(page: Page): Promise<void> {
  await page.goto(`${library.address}/desk/check-out`);
  await pressButton(page, "تجوَّل في المكتبة التجريبية");
  await pressButton(page, SERVICE_POINT);
  await page.locator("main input:focus").waitFor();
}

/** Where something stands on the page: how far its middle is to the right, as a share of the width. */
const horizontalPosition = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox();
  assert.ok(box, selector);
  return (box.x + box.width / 2) / (page.viewportSize()?.width ?? 1);
};

test("the page is Arabic and read from right to left, and the way to a check-out needs no mouse", async () => {
  const page = await openInArabic();
  await page.goto(`${library.address}/desk/check-out`);
  await page.getByRole("button", { name: "تجوَّل في المكتبة التجريبية" }).waitFor();
  const root = await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);
  assert.deepEqual(root, ["ar", "rtl"]);
  assert.deepEqual(await axeViolations(page), []);
  await enter(page);
  assert.ok((await horizontalPosition(page, "nav")) > 0.5, "the pages are on the right");
  assert.ok((await horizontalPosition(page, ".me")) < 0.5, "who is signed in is on the left");
  await scan(page, FREYA);
  await page.getByRole("textbox", { name: "باركود المادة" }).waitFor();
  await scan(page, BELOVED);
  await row(page, "Beloved").getByText(/^تُعاد/).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const code = row(page, "Beloved").getByText(BELOVED);
  assert.equal(await code.evaluate((element) => getComputedStyle(element).direction), "ltr");
  await page
    .getByRole("button", { name: /Beloved/ })
    .and(page.getByRole("button", { name: /^تراجع/ }))
    .press("Enter");
  await row(page, "Beloved").getByText("تم التراجع عنها").waitFor();
});

test("a refusal is said in Arabic", async () => {
  const page = await openInArabic();
  await enter(page);
  await scan(page, FREYA);
  await page.getByRole("textbox", { name: "باركود المادة" }).waitFor();
  await scan(page, REFERENCE);
  await row(page, REFERENCE).getByText("المادة غير قابلة للإعارة").waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("the language is fetched by whoever wants it alone", async () => {
  const page = await library.visit();
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url()));
  await page.goto(`${library.address}/desk/check-out`);
  await page.getByRole("button", { name: "Look around the demo library" }).waitFor();
  await waitUntilQuiet(page);
  assert.deepEqual(
    fetched.filter((url) => /\/(ar|nouns-ar)[.-][^/]*$/.test(url)),
    [],
  );
});
