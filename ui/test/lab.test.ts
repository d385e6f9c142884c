/** Load tests, by keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axeViolations, checkPage, type Library, openDesk, openLibrary, type Page, waitUntilEqual } from "./library.ts";

/** As the page shows it; it is said to screen readers, too. */
const state = (page: Page, text: string) => page.getByRole("strong").filter({ hasText: text });

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

test("a run is shown with its figures and lines, and beside another", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/today");
  await page.getByRole("link", { name: /load tests/ }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Load tests" }).waitFor();
  // The newest first.
  await page.getByText("octavo 0.2.0 · ").waitFor();
  const calls = page.getByRole("table", { name: "Calls" }).first();
  await calls.getByRole("row", { name: /^POST check-out-by-barcode 480/ }).waitFor();
  await waitUntilEqual(
    () => page.getByRole("img", { name: /Average over the time/ }).count(),
    2,
    "a drawing for each test",
  );
  assert.deepEqual(await axeViolations(page), []);

  await page.getByRole("button", { name: /Compare with/ }).press("Enter");
  await page.getByRole("option", { name: /octavo 0\.1\.0/ }).press("Enter");
  await page.waitForURL(/with=check-in-check-out-before/);
  await calls.getByRole("cell", { name: "-20%" }).first().waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("a run is started from the page, followed, stopped, and its report opened", async () => {
  const entry = { module: "OCTAVO-LAB", configName: "test-tenant", enabled: true, value: "diku" };
  await library.call("/configurations/entries", entry);
  const page = await library.visit();
  await openDesk(library, page, "/lab");
  await page.getByRole("button", { name: "Start a run" }).press("Enter");
  await page.getByText("The run shares this server's machine").waitFor();
  await page.getByRole("button", { name: /Experiment/ }).press("Enter");
  await page.getByRole("option", { name: "configuration", exact: true }).press("Enter");
  await page.getByLabel("Seconds for each test").fill("300");
  await page.getByLabel("Virtual users").fill("1");
  await page.getByText("2 tests, about 600 seconds together.").waitFor();
  assert.equal(
    await page.getByLabel("Test tenant", { exact: true }).inputValue(),
    "diku",
    "the tenant of the desk is proposed",
  );
  await page.getByLabel("User name of the test tenant").fill("diku_admin");
  await page.getByLabel("Password").fill("admin");
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.press("Enter");

  await state(page, "A run is under way.").waitFor();
  await page.getByText(/\d+ calls, .* errors/).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  // Another screen shows it, too.
  await page.reload();
  await page.getByText(/\d+ calls, .* errors/).waitFor();
  await waitUntilEqual(() => page.getByRole("button", { name: "Start a run" }).isDisabled(), true, "one at a time");
  await page.getByRole("button", { name: "Stop it" }).press("Enter");
  await state(page, "The run has ended.").waitFor();
  await page.getByRole("link", { name: "Open its report" }).press("Enter");
  await page.waitForURL(/run=configuration-/);
  await page.getByText("ended early").waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("a run that is refused says why", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/lab");
  await page.getByRole("button", { name: "Start a run" }).press("Enter");
  await page.getByLabel("User name of the test tenant").fill("diku_admin");
  await page.getByLabel("Password").fill("wrong");
  await page.keyboard.press("Enter");
  await state(page, "The run has failed.").waitFor();
  await page.getByText(/octavo: .*log/).waitFor();
});

test("nothing is cut off at a phone", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await openDesk(library, page, "/lab?with=check-in-check-out-before");
  await page.getByRole("table").first().waitFor();
  await checkPage(page, "the page");
});
