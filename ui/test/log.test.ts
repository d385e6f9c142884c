/** The circulation log: what was done at the desk stands there, and is found again, by keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chooseFrom, pressAt, tabTo, typeInto } from "./keyboard.ts";
import { axeViolations, enterDesk, type Library, openLibrary } from "./library.ts";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

interface CheckedOut {
  item: string;
  patron: string;
}

/** An item that is lent, renewed and brought back, in a fresh library. */
async function checkOutItem(): Promise<CheckedOut> {
  const query = encodeURIComponent('status.name=="Available" and barcode="*"');
  const { items } = await library.call<{ items: { barcode: string }[] }>(`/item-storage/items?limit=1&query=${query}`);
  const item = items[0]?.barcode ?? "";
  const patron = "27001000000445";
  const servicePointId = "33154e2e-7bf2-585b-9b21-e1dafd383e05";
  await library.call("/circulation/check-out-by-barcode", { itemBarcode: item, userBarcode: patron, servicePointId });
  const checkInDate = new Date().toISOString();
  await library.call("/circulation/check-in-by-barcode", { itemBarcode: item, servicePointId, checkInDate });
  return { item, patron };
}

test("what was done to an item is found by its barcode, by what was done, and by day", async () => {
  const { item, patron } = await checkOutItem();
  const page = await library.visit();
  await enterDesk(library, page, "/check-in");
  await page.keyboard.press("Alt+g");
  const log = page.getByRole("grid", { name: "Circulation log" });
  await log.waitFor();
  await typeInto(page.getByLabel("Barcode of item"), item);
  await page.keyboard.press("Enter");
  await log.getByRole("row", { name: /Checked out/ }).waitFor();
  assert.equal(await log.getByRole("row").count(), 4, "the head, check-out, check-in, end of the loan");
  assert.deepEqual(await axeViolations(page), []);
  const filters = page.getByRole("region", { name: "Filters" });
  await chooseFrom(filters.getByRole("button", { name: "What was done" }), "Checked in");
  await log.getByRole("row", { name: /Item status: / }).waitFor();
  assert.equal(await log.getByRole("row").count(), 2);
  const saved = page.waitForEvent("download");
  await pressAt(page.getByRole("button", { name: /CSV/ }));
  assert.match((await saved).suggestedFilename(), /^Circulation log.*\.csv$/);
  // Month, day and year, as the browser of an American takes them.
  await tabTo(page.getByLabel("To", { exact: true }));
  await page.keyboard.type("01012020");
  await page.getByText("Nothing of the kind has happened").waitFor();
  await pressAt(page.getByRole("button", { name: "Clear filters" }));
  await typeInto(page.getByLabel("Barcode of patron"), patron);
  await page.keyboard.press("Enter");
  await log.getByRole("row").nth(1).getByText(patron).waitFor();
  // The row has no stop of its own for each way in it: Enter takes the way to what was done.
  await pressAt(log);
  await page.waitForURL(/\/desk\/patrons\/[0-9a-f-]{36}$/);
});
