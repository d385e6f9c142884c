/** The circulation rules: a mistake, a change, a try-out, by keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  axeViolations,
  checkPage,
  enterDesk,
  type Library,
  openDesk,
  openLibrary,
  pressButton,
  waitUntilEqual,
} from "./library.ts";

/** Loan policies, as the editor shows them: by their names. */
const ONE_WEEK = '"One week, one renewal"';
const THREE_WEEKS = '"Three weeks, two renewals"';

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

test("a mistake is shown in its line; a change is simulated, saved, and decides at once", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await page.keyboard.press("Alt+l");
  const rules = page.getByRole("textbox", { name: "Rules" });
  await rules.waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const stored = await rules.inputValue();
  assert.match(stored, /priority/);

  await rules.fill(`${stored}\ng nobody`);
  await page
    .getByRole("alert")
    .getByText(/^Line \d+, column \d+:/)
    .waitFor();
  await waitUntilEqual(() => page.getByRole("button", { name: "Save" }).isDisabled(), true);
  assert.deepEqual(await axeViolations(page), []);

  await rules.fill(stored.replace(THREE_WEEKS, ONE_WEEK));
  await page.getByText("Changed, and not saved yet.").waitFor();
  await page.getByRole("alert").waitFor({ state: "detached" });
  await pressButton(page, "Simulate");
  await page.getByText(/\d+ of \d+ loans would have had another result/).waitFor();
  // Each of them, from which policy to which; the address keeps to which change they are narrowed.
  const tried = page.getByRole("grid", { name: "Loans with a different result" });
  await tried.getByText("Three weeks, two renewals").first().waitFor();
  await tried.getByText("One week, one renewal").first().waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const [file] = await Promise.all([page.waitForEvent("download"), pressButton(page, "Save as CSV")]);
  assert.equal(file.suggestedFilename(), "Loans under other rules.csv");
  await page.getByRole("button", { name: "all Change" }).press("Enter");
  await page.getByRole("option", { name: /due earlier$/ }).press("Enter");
  await page.waitForURL(/change=dueEarlier/);
  await pressButton(page, "Save");
  await page.getByRole("region", { name: "Rules" }).getByText("Saved. The rules are now in force.").waitFor();

  await page.getByLabel("Patron barcode").focus();
  await page.keyboard.type("27001000000445");
  await page.keyboard.press("Tab");
  await page.keyboard.type("37001000000096");
  await page.keyboard.press("Enter");
  await page.getByText('It sets the loan policy "One week, one renewal".').waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("names are shown in place of ids, proposed while one types, and stored as ids", async () => {
  const stored = async () => (await library.call<{ rulesAsText: string }>("/circulation/rules")).rulesAsText;
  const page = await library.visit();
  await enterDesk(library, page);
  await page.keyboard.press("Alt+l");
  const rules = page.getByRole("textbox", { name: "Rules" });
  await rules.waitFor();
  const before = await rules.inputValue();
  assert.doesNotMatch(before, /[0-9a-f]{8}-[0-9a-f]{4}-/);
  await rules.focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nm b");
  await page.getByRole("option", { name: "book", exact: true }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.type("ook");
  await page.keyboard.press("Enter");
  await page.keyboard.type("+ g und");
  await page.getByRole("option", { name: "undergrad" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type(': l "One week, one renewal"');
  assert.ok((await rules.inputValue()).endsWith('m "book" + g "undergrad" : l "One week, one renewal"'));

  await page.keyboard.type(' r "nothing at all"');
  await page.getByRole("alert").getByText("Unknown or ambiguous name: “nothing at all”").waitFor();
  await waitUntilEqual(() => page.getByRole("button", { name: "Save" }).isDisabled(), true);
  await rules.fill(`${before}\n# a remark`);
  await page.getByRole("alert").waitFor({ state: "detached" });
  await pressButton(page, "Save");
  await page.getByRole("region", { name: "Rules" }).getByText("Saved. The rules are now in force.").waitFor();
  const after = await stored();
  assert.match(after, /[0-9a-f]{8}-[0-9a-f]{4}-/);
  assert.doesNotMatch(after, /"/);
});

test("a try-out that is refused for several reasons says each for itself", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await page.keyboard.press("Alt+l");
  await page.getByRole("textbox", { name: "Rules" }).waitFor();
  await page.getByLabel("Patron barcode").fill("27001000000411");
  await page.getByLabel("Item barcode").fill("37001000000294");
  await page.getByRole("button", { name: "What would happen?" }).press("Enter");
  const reasons = page.getByRole("alert").getByRole("listitem");
  await reasons.first().waitFor();
  const said = await reasons.allTextContents();
  assert.deepEqual(said, ["Cannot check out to inactive user", "Item is not loanable"]);
  assert.deepEqual(await axeViolations(page), []);
});

test("nothing is cut off at a phone", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await openDesk(library, page, "/rules");
  await page.getByRole("textbox", { name: "Rules" }).waitFor();
  await checkPage(page, "the page");
});
