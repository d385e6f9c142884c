/** The circulation rules: a mistake, a change, a try-out, by keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axe, enter, type Library, openLibrary, press } from "./library.ts";

/** The loan policies "One week, one renewal" and "Three weeks, two renewals". */
const ONE_WEEK = "efc4fa5a-2566-5e47-9e8d-bc447434f6e7";
const THREE_WEEKS = "058327ca-5f61-5120-85d2-095e0a5eb877";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

test("a mistake is shown in its line; a change is simulated, saved, and decides at once", async () => {
  const page = await library.visit();
  await enter(library, page);
  await page.keyboard.press("Alt+l");
  const rules = page.getByRole("textbox", { name: "Rules" });
  await rules.waitFor();
  assert.deepEqual(await axe(page), []);
  const stored = await rules.inputValue();
  assert.match(stored, /priority/);

  await rules.fill(`${stored}\ng nobody`);
  await page
    .getByRole("alert")
    .getByText(/^Line \d+, column \d+:/)
    .waitFor();
  assert.equal(await page.getByRole("button", { name: "Save" }).isDisabled(), true);
  assert.deepEqual(await axe(page), []);

  await rules.fill(stored.replace(THREE_WEEKS, ONE_WEEK));
  await page.getByText("Changed, and not saved yet.").waitFor();
  await page.getByRole("alert").waitFor({ state: "detached" });
  await press(page, "Simulate");
  await page.getByText(/\d+ of \d+ loans would have gone otherwise/).waitFor();
  await press(page, "Save");
  await page.getByText("Saved. They hold from now on.").waitFor();

  await page.getByLabel("Patron barcode").focus();
  await page.keyboard.type("27001000000445");
  await page.keyboard.press("Tab");
  await page.keyboard.type("37001000000096");
  await page.keyboard.press("Enter");
  await page.getByText('It sets the loan policy "One week, one renewal".').waitFor();
  assert.deepEqual(await axe(page), []);
});

test("a try-out that is refused for several reasons says each for itself", async () => {
  const page = await library.visit();
  await enter(library, page);
  await page.keyboard.press("Alt+l");
  await page.getByRole("textbox", { name: "Rules" }).waitFor();
  await page.getByLabel("Patron barcode").fill("27001000000411");
  await page.getByLabel("Item barcode").fill("37001000000294");
  await page.getByRole("button", { name: "What would happen?" }).press("Enter");
  const reasons = page.getByRole("alert").getByRole("listitem");
  await reasons.first().waitFor();
  const said = await reasons.allTextContents();
  assert.deepEqual(said, ["Cannot check out to inactive user", "Item is not loanable"]);
  assert.deepEqual(await axe(page), []);
});

test("nothing is cut off at a phone", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await enter(library, page);
  await page.goto(`${library.address}/desk/rules`);
  await page.getByRole("textbox", { name: "Rules" }).waitFor();
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(over <= 0, `the page is ${over} pixels too wide`);
  assert.deepEqual(await axe(page), []);
});
