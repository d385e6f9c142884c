/** Somebody who has never seen the desk: from the address alone, with nothing in hand but what the pages show. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axeViolations, type Library, openLibrary, type Page, row, waitUntilEqual, waitUntilQuiet } from "./library.ts";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

const press = (page: Page, name: RegExp) => page.getByRole("button", { name }).first().press("Enter");
const follow = (page: Page, name: RegExp) => page.getByRole("link", { name }).first().press("Enter");

test("in the demo library every page shows what to scan: check-out, renewal, check-in with a fine, payment, request", async () => {
  const page = await library.visit();
  await page.goto(`${library.address}/desk/check-out`);
  await press(page, /Look around the demo library/);
  // The first is the one to take: Enter is enough.
  await page.getByRole("button", { name: "Harbour Library desk" }).waitFor();
  const focused = await page.evaluate(() => document.activeElement?.textContent);
  assert.equal(focused, "Harbour Library desk");
  await waitUntilEqual(() => page.getByRole("main").getByRole("button").first().textContent(), "Harbour Library desk");
  await page.keyboard.press("Enter");

  await page.getByText("Scan the patron's card").waitFor();
  await page.getByText("Scan one of these, type it, or press it.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await press(page, /Freya Nielsen/);
  await page.getByRole("heading", { name: "Freya Nielsen" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await press(page, /Beloved/);
  await row(page, "Beloved").getByText(/^due /).waitFor();
  // The scanner goes on where the hand left off.
  await page.locator("main input:focus").waitFor();

  await follow(page, /1 item on loan/);
  await press(page, /^Renew: Beloved/);
  await row(page, "Beloved")
    .getByText(/renewed once/i)
    .waitFor();

  await page.getByRole("link", { name: "Check in", exact: true }).press("Enter");
  await page.getByText("Scan one of these, type it, or press it.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await press(page, /Charlotte's web/);
  await row(page, "Charlotte's web")
    .getByText(/Was due/)
    .waitFor();
  await page.locator("main input:focus").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await follow(page, /owes \$/);
  await press(page, /^Pay$/);
  await page.getByRole("button", { name: /Cash/ }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Pay", exact: true }).press("Enter");
  await page.getByRole("heading", { name: /paid$/ }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().press("Enter");

  await page.getByRole("link", { name: "Inventory", exact: true }).press("Enter");
  await page.getByLabel("Find a title").fill("pride");
  await follow(page, /Pride and prejudice/);
  await press(page, /^Request/);
  // "A name or part of it works, too."
  await page.getByLabel("Requester").fill("amara");
  await page.getByRole("button", { name: /Request type/ }).waitFor();
  await page.getByRole("button", { name: "Place request" }).press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await row(page, "Amara Okafor").waitFor();
});

test("a library of one's own has no such lists", async () => {
  const tenant = await library.call<{ id: string; name: string }>("/_/proxy/tenants/diku");
  await library.call("/_/proxy/tenants/diku", { ...tenant, description: "Our library" }, "PUT");
  const page = await library.visit();
  await page.goto(`${library.address}/desk/check-out`);
  await page.getByLabel("User name").fill("diku_admin");
  await page.getByLabel("Password").fill("admin");
  await page.keyboard.press("Enter");
  await press(page, /Harbour Library desk/);
  await page.getByText("Scan the patron's card").waitFor();
  await waitUntilQuiet(page);
  assert.equal(await page.getByText("To try it out").count(), 0);
  assert.equal(await page.getByText("27001000000445").count(), 0);
});
