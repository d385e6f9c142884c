/** Without a connection, and when it is back. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axeViolations, enterByDoor, type Library, openLibrary, type Page, pressButton, row, scan } from "./library.ts";

const FREYA = "27001000000445";
const AMARA = "27001000000015";
const BELOVED = "37001000000096";
const FILM = "37001000000765";
const REFERENCE = "37001000000294";
const NOVEL = "37001000000039";
const LENT_LATER = "37001000000054";
const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

test("a desk without a connection goes on lending; what came in between is reported afterwards", async () => {
  const page = await library.visit();
  await enterByDoor(library, page);
  // The desk itself is at hand from now on.
  if (!process.env.OCTAVO_DESK) await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await scan(page, FREYA);
  await page.getByText("No connection to the server.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, `Begin with card ${FREYA}, without the patron record`);
  await page.getByText("Not looked up").waitFor();
  await scan(page, BELOVED, FILM);
  await row(page, FILM).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  if (!process.env.OCTAVO_DESK) {
    await page.reload();
    await row(page, FILM).waitFor();
    // Its title, too.
    await page.getByRole("banner").getByText("Westhaven Public Library").waitFor();
  }
  await page.getByRole("textbox", { name: "Item barcode" }).focus();
  await page.keyboard.press("Escape");
  await page.getByText("2 items of earlier sessions will be sent").waitFor();
  assert.deepEqual(await axeViolations(page), []);

  await library.call("/circulation/check-out-by-barcode", {
    itemBarcode: FILM,
    userBarcode: AMARA,
    servicePointId: HARBOUR,
  });
  await page.context().setOffline(false);
  await page.getByRole("heading", { name: "Offline check-outs that were refused" }).waitFor();
  const conflict = row(page, FILM);
  await conflict.getByText("Item is already checked out").waitFor();
  // Who had it, what it was, and that the other loan is the newer one.
  await page.getByText(/, Freya Nielsen, card/).waitFor();
  await conflict.getByText("Das Leben der Anderen").waitFor();
  await conflict.getByText(/It was checked out again after this scan: on .*, to Amara Okafor\./).waitFor();
  assert.equal(await conflict.getByText("check it in first").count(), 0);
  assert.equal(await conflict.getByRole("button", { name: "Check in, then check out" }).count(), 0);
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await row(page, BELOVED).count(), 0);
  const query = encodeURIComponent(`barcode=="${BELOVED}"`);
  const { items } = await library.call<{ items: { status: { name: string } }[] }>(`/inventory/items?query=${query}`);
  assert.equal(items[0]?.status.name, "Checked out");
  await pressButton(page, `Remove from the list: ${FILM}`);
  await page.getByRole("heading", { name: "Offline check-outs that were refused" }).waitFor({ state: "detached" });
});

test("a tab that is closed leaves what it could not send to the next one", async () => {
  const page = await library.visit();
  await enterByDoor(library, page);
  await scan(page, AMARA);
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
  await page.context().setOffline(true);
  await scan(page, "37001000001193");
  await row(page, "37001000001193").getByText("saved here until the connection is back").waitFor();
  const browser = page.context();
  const next = await browser.newPage();
  await page.close();
  await browser.setOffline(false);
  await next.goto(`${library.address}/desk/check-out`);
  await next.locator("main input:focus").waitFor();
  await next.waitForFunction(async () => {
    const query = encodeURIComponent('barcode=="37001000001193"');
    const headers = { "x-okapi-tenant": "diku" };
    const answer = await (await fetch(`/inventory/items?query=${query}`, { headers })).json();
    return answer.items[0].status.name === "Checked out";
  });
});

/** Once what is needed without a connection is at hand. */
const waitForOfflineData = (page: Page) =>
  page.waitForFunction(async () => (await (await caches.open("octavo-luggage")).keys()).length === 2);

test("without a connection the due date that the rules let expect is told, and set right when the server has decided", async () => {
  const page = await library.visit();
  await enterByDoor(library, page);
  await scan(page, AMARA);
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
  await waitForOfflineData(page);
  await page.context().setOffline(true);
  await scan(page, NOVEL, REFERENCE, "not-in-the-list");
  await row(page, "not-in-the-list").getByText("due date not known yet").waitFor();
  await row(page, REFERENCE).getByText("expected: not loanable, by the rules").waitFor();
  const expected = (await row(page, NOVEL).getByText("expected: due ").textContent())?.replace("expected: ", "");
  assert.deepEqual(await axeViolations(page), []);
  await page.context().setOffline(false);
  await row(page, REFERENCE).getByText("Not checked out").waitFor();
  assert.equal((await row(page, NOVEL).getByText(/^due /).textContent())?.trim(), expected, "told as it then was");
  await row(page, "not-in-the-list").getByText("No item with barcode").waitFor();

  // The rules change while the desk is on its own: who has gone was told another day.
  await page.getByRole("textbox", { name: "Item barcode" }).focus();
  await page.keyboard.press("Escape");
  await page.getByText("1 item for").waitFor();
  await page.context().setOffline(true);
  await scan(page, FREYA);
  await pressButton(page, `Begin with card ${FREYA}, without the patron record`);
  await page.getByRole("button", { name: /Patron group \(for due dates\)/ }).press("Enter");
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("option", { name: "undergrad" }).press("Enter");
  await page.getByRole("textbox", { name: "Item barcode" }).focus();
  await scan(page, LENT_LATER);
  await row(page, LENT_LATER).getByText("expected: due ").waitFor();
  await page.getByRole("textbox", { name: "Item barcode" }).focus();
  await page.keyboard.press("Escape");
  await page.getByText("1 item of earlier sessions will be sent").waitFor();
  const { loanPolicies } = await library.call<{ loanPolicies: LoanPolicy[] }>("/loan-policy-storage/loan-policies");
  for (const policy of loanPolicies.filter(({ loansPolicy }) => loansPolicy?.period?.intervalId === "Weeks")) {
    const loansPolicy = { ...policy.loansPolicy, period: { duration: 5, intervalId: "Days" } };
    await library.call(`/loan-policy-storage/loan-policies/${policy.id}`, { ...policy, loansPolicy }, "PUT");
  }
  await page.context().setOffline(false);
  await page.getByRole("heading", { name: "Checked out with another due date than the patron was told" }).waitFor();
  await page.getByText("was expected: ").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, `Remove from the list: ${LENT_LATER}`);
  await page
    .getByRole("heading", { name: "Checked out with another due date than the patron was told" })
    .waitFor({ state: "detached" });
});

interface LoanPolicy {
  id: string;
  loansPolicy?: { period?: { intervalId: string } };
}
