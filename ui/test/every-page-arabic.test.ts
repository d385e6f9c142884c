/**
 * Every page that has a picture, in Arabic, in dark colours, on a telephone: it fits the window, nothing in it is cut
 * off, and axe finds no problem.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkPageNow, type Library, openLibrary, type Page } from "./library.ts";
import { collectFaults, showShot } from "./pages.ts";
import { arrangeRecords, type ShotRecords, shots } from "./shots.ts";

let library: Library;
let known: ShotRecords;
before(async () => {
  library = await openLibrary();
  known = await arrangeRecords(library);
});
after(() => library?.close());

/** Past the door in Arabic, in the dark, on a telephone. */
async function openInArabic(): Promise<Page> {
  const page = await library.visit({ width: 375, height: 740 });
  await page.addInitScript(() =>
    localStorage.setItem("octavo.preferences", JSON.stringify({ language: "ar", theme: "dark" })),
  );
  await page.goto(`${library.address}/desk/check-out`);
  await page.locator(".demo button").press("Enter");
  await page.getByRole("button", { name: "Harbour Library desk" }).press("Enter");
  await page.locator("main input:focus").waitFor();
  return page;
}

/** What stands out of a dialog at its side: the page around it does not become wider by it. */
const findCutOffTexts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".modal, .modal .buttons, .modal .field, .modal .row, .popover")]
      .filter((box) => box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).display !== "inline")
      .map((box) => `${box.className}: ${box.scrollWidth} of ${box.clientWidth} pixels`),
  );

async function isSoundInArabic(page: Page, name: string): Promise<void> {
  await checkPageNow(page, name);
  assert.deepEqual(await findCutOffTexts(page), [], `${name}: cut off`);
}

test("axe finds nothing in Arabic, in the dark, on a telephone, with all that is done on the pages", async () => {
  const page = await openInArabic();
  const faults: string[] = [];
  for (const shot of shots(known, "ar")) {
    await showShot(library, page, shot);
    await collectFaults(faults, isSoundInArabic(page, shot.name));
  }
  assert.deepEqual(faults, []);
});
