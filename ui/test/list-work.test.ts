/** Work through lists: many records changed at once, with a look at what would happen, and put back again. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { tabTo } from "./keyboard.ts";
import {
  axeViolations,
  type Library,
  openDesk,
  openLibrary,
  type Page,
  waitUntilEqual,
  waitUntilQuiet,
} from "./library.ts";

const FREYA = "27001000000445";

interface Loan {
  id: string;
  dueDate: string;
  renewalCount?: number;
  item: { barcode: string };
}

interface Item {
  id: string;
  _version: number;
  barcode: string;
  title: string;
  holdingsRecordId: string;
  temporaryLocation?: { id: string; name: string };
  notes: unknown[];
}

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

const cql = (query: string) => encodeURIComponent(query);

async function goTo(page: Page, path: string): Promise<void> {
  await openDesk(library, page, `${path}`);
}

/** From the top of the table to the row of a barcode, and a tick there. */
async function tick(page: Page, barcode: string): Promise<void> {
  await tabTo(page.getByRole("grid"));
  await page.keyboard.press("Home");
  const rows = await page.getByRole("grid").getAttribute("aria-rowcount");
  for (let steps = 0; steps < Number(rows); steps++) {
    if ((await page.locator("tr[data-active]", { hasText: barcode }).count()) === 1) break;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Space");
  await page.locator('tr[data-active][aria-selected="true"]', { hasText: barcode }).waitFor();
}

const openLoans = async () =>
  (await library.call<{ loans: Loan[] }>(`/circulation/loans?limit=100&query=${cql('status.name=="Open"')}`)).loans;

async function checkOutItem(barcode: string): Promise<void> {
  const body = {
    itemBarcode: barcode,
    userBarcode: FREYA,
    servicePointId: "33154e2e-7bf2-585b-9b21-e1dafd383e05",
  };
  await library.call("/circulation/check-out-by-barcode", body);
}

const loadItem = async (barcode: string) => {
  const { items } = await library.call<{ items: Item[] }>(`/inventory/items?query=${cql(`barcode=="${barcode}"`)}`);
  const [item] = items;
  assert.ok(item);
  return item;
};

test("every list opens, in both languages and three widths", async () => {
  const page = await library.visit();
  await goTo(page, "/lists");
  await page.getByRole("grid", { name: "Open loans" }).waitFor();
  const names = ["overdue", "lost", "missing", "claimed", "transit", "requests", "expired", "clearance"];
  for (const name of names) {
    await page.goto(`${library.address}/desk/lists?list=${name}`);
    await page.getByRole("grid").waitFor();
    assert.equal(await page.getByRole("alert").count(), 0, name);
    assert.deepEqual(await axeViolations(page), [], name);
  }
  for (const width of [800, 400]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${library.address}/desk/lists?list=overdue`);
    await page.getByRole("grid").waitFor();
    assert.deepEqual(await axeViolations(page), [], `${width} pixels`);
  }
  await page.evaluate(() => {
    localStorage.setItem("octavo.preferences", JSON.stringify({ language: "de", theme: "light", sounds: false }));
  });
  await page.reload();
  await page.getByRole("grid", { name: "Überfällig" }).waitFor();
});

test("loans are renewed together: what would be refused is said before, and the others are renewed", async () => {
  const [first = "", second = ""] = (await library.lendable()).slice(-2);
  for (const barcode of [first, second]) await checkOutItem(barcode);
  const before = (await openLoans()).find(({ item }) => item.barcode === first);
  const page = await library.visit();
  await goTo(page, "/lists");
  await page.getByRole("grid").waitFor();
  for (const barcode of [first, second]) await tick(page, barcode);
  await page.getByRole("button", { name: "Change due date" }).press("Enter");
  await page.getByLabel("Due date", { exact: true }).fill("2026-12-31");
  await page.getByRole("button", { name: "Preview" }).press("Enter");
  await page.getByText("2 of 2 would be changed.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  // A look changes nothing.
  assert.equal((await openLoans()).find(({ item }) => item.barcode === first)?.dueDate, before?.dueDate);
  await page.getByRole("button", { name: "Apply to 2" }).press("Enter");
  await page.getByText("2 done, 0 refused, 0 to do").waitFor();
  const changed = (await openLoans()).find(({ item }) => item.barcode === first);
  assert.match(changed?.dueDate ?? "", /^2027-01-01T0[45]|^2026-12-31T/);

  await page.getByRole("button", { name: "Close", exact: true }).press("Enter");
  await page.getByRole("button", { name: "Renew", exact: true }).press("Enter");
  await page.getByRole("button", { name: "Preview" }).press("Enter");
  await page.getByText(/would be changed\.|Nothing would change\./).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page
    .getByText(/would be refused|→/)
    .first()
    .waitFor();
});

test("a request is edited, and requests are cancelled together", async () => {
  const barcodes = (await library.lendable()).slice(0, 2);
  const patron = await library.call<{ users: { id: string }[] }>(`/users?query=${cql(`barcode=="${FREYA}"`)}`);
  for (const barcode of barcodes) {
    const item = await loadItem(barcode);
    const holdings = await library.call<{ instanceId: string }>(`/holdings-storage/holdings/${item.holdingsRecordId}`);
    await library.call("/circulation/requests", {
      requestType: "Page",
      requestLevel: "Item",
      requestDate: new Date().toISOString(),
      requesterId: patron.users[0]?.id,
      instanceId: holdings.instanceId,
      holdingsRecordId: item.holdingsRecordId,
      itemId: item.id,
      fulfillmentPreference: "Hold Shelf",
      pickupServicePointId: "33154e2e-7bf2-585b-9b21-e1dafd383e05",
    });
  }
  const requests = async () =>
    (
      await library.call<{ requests: { status: string; requestExpirationDate?: string; item: { barcode: string } }[] }>(
        `/circulation/requests?limit=100&query=${cql(`requesterId=="${patron.users[0]?.id}"`)}`,
      )
    ).requests;
  const page = await library.visit();
  await goTo(page, "/lists?list=requests");
  await page.getByRole("grid").waitFor();
  await tick(page, barcodes[0] ?? "");
  await page.getByRole("button", { name: "Edit", exact: true }).press("Enter");
  await page.getByRole("dialog").getByLabel("Request expiration date").fill("2027-02-01");
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("dialog").getByRole("button", { name: "Save", exact: true }).press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assert.ok(
    (await requests()).some(({ requestExpirationDate }) => /^2027-02-0[12]T/.test(requestExpirationDate ?? "")),
  );

  await page.getByRole("grid").focus();
  await page.keyboard.press("Escape");
  for (const barcode of barcodes) await tick(page, barcode);
  await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
  // Its list opens once the library's reasons are there.
  await waitUntilQuiet(page);
  await page.getByRole("button", { name: /Reason/ }).press("Enter");
  await page.getByRole("option").first().press("Enter");
  await page.getByRole("button", { name: "Preview" }).press("Enter");
  await page.getByText("2 of 2 would be changed.").waitFor();
  await page.getByText("Open - Not yet filled → Closed - Cancelled").first().waitFor();
  await page.getByRole("button", { name: "Apply to 2" }).press("Enter");
  await page.getByText("2 done, 0 refused, 0 to do").waitFor();
  await page.getByText("Result of each record").press("Enter");
  const done = page.locator("details .bulk-lines").getByText("done", { exact: true });
  await done.nth(1).waitFor();
  await waitUntilEqual(() => done.count(), 2);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save results as CSV" }).press("Enter"),
  ]);
  assert.equal(file.suggestedFilename(), "Results.csv");
  const mine = (await requests()).filter(({ item }) => barcodes.includes(item.barcode));
  assert.deepEqual(
    mine.map(({ status }) => status),
    ["Closed - Cancelled", "Closed - Cancelled"],
  );
});

test("copies are put together, changed, and put back but for the one that somebody has changed since", async () => {
  const [scanned = "", pasted = "", other = ""] = (await library.lendable()).slice(4);
  const { locations } = await library.call<{ locations: { id: string; name: string }[] }>("/locations?limit=100");
  const [location] = locations;
  assert.ok(location);
  const page = await library.visit();
  await goTo(page, "/lists/items");
  await page.getByRole("button", { name: "New item list" }).press("Enter");
  await page.getByLabel("Name").fill("Display in the hall");
  await page.getByRole("dialog").getByRole("button", { name: "New item list" }).press("Enter");
  await page.getByLabel("Scan or type a barcode").fill(scanned);
  await page.keyboard.press("Enter");
  await page.getByText("Added: ").waitFor();
  await page.getByRole("button", { name: "Paste barcodes" }).press("Enter");
  await page.getByRole("dialog").getByRole("textbox").fill(`Barcode\n${pasted}\n${other}\n4711`);
  await page.getByRole("dialog").getByRole("button", { name: "Add", exact: true }).press("Enter");
  await page.getByText("No item has these 1 barcodes:").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await waitUntilEqual(() => page.getByRole("dialog").getByRole("textbox").inputValue(), "4711");
  await page.keyboard.press("Escape");
  await page.getByText("3 rows").waitFor();

  await page.reload();
  await page.getByText("3 rows").waitFor();
  await page.getByRole("grid").focus();
  await page.keyboard.press("Control+a");
  await page.getByRole("button", { name: "Change", exact: true }).press("Enter");
  await page.getByRole("button", { name: /What to change$/ }).press("Enter");
  await page.getByRole("option", { name: "Temporary location" }).press("Enter");
  await page.getByRole("button", { name: /New value$/ }).press("Enter");
  await page.getByRole("option", { name: location.name, exact: true }).press("Enter");
  await page.getByRole("button", { name: "Preview" }).press("Enter");
  await page.getByText(`none → ${location.name}`).first().waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Apply to 3" }).press("Enter");
  await page.getByText("3 done, 0 refused, 0 to do").waitFor();
  for (const barcode of [scanned, pasted, other]) {
    assert.equal((await loadItem(barcode)).temporaryLocation?.name, location.name);
  }

  const touched = await loadItem(other);
  const note = { itemNoteTypeId: "8d0a5eca-25de-4391-81a9-236eeefdd20b", note: "Spine torn", staffOnly: true };
  await library.call(`/inventory/items/${touched.id}`, { ...touched, notes: [...touched.notes, note] }, "PUT");
  await page.getByRole("button", { name: "Undo", exact: true }).press("Enter");
  await page.getByText("2 done, 1 refused, 0 to do").waitFor();
  await page.getByText("It has been changed since, and stays as it is.").waitFor();
  assert.equal((await loadItem(scanned)).temporaryLocation, undefined);
  assert.equal((await loadItem(pasted)).temporaryLocation, undefined);
  assert.equal((await loadItem(other)).temporaryLocation?.name, location.name);
});
