/** Check in, by keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axeViolations, checkPage, enterDesk, type Library, openLibrary, pressButton, row, scan } from "./library.ts";

const LENT_TO_EMILY = "37001000001185";
const BELOVED = "37001000000096";
const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";
const HILLSIDE = "4c0d254c-0c61-511e-865e-2321caa8de1e";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

test("what comes back says where it goes, whose it was, and can be undone", async () => {
  const page = await library.visit();
  await enterDesk(library, page, "/check-in");
  assert.deepEqual(await axeViolations(page), []);
  await scan(page, LENT_TO_EMILY);
  const back = row(page, LENT_TO_EMILY);
  await back.getByText("To the shelf: Harbour: Fiction").waitFor();
  await back.getByText("Returned by Emily Carter").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "Undo: Pride and prejudice");
  await back.getByText("undone").waitFor();
});

test("an overdue return shows its fine", async () => {
  const page = await library.visit();
  const { loans } = await library.call<{ loans: { id: string; item: { barcode: string } }[] }>(
    `/circulation/loans?limit=1&query=${encodeURIComponent('status.name=="Open" sortBy dueDate')}`,
  );
  const barcode = loans[0]?.item.barcode ?? "";
  await enterDesk(library, page, "/check-in");
  await scan(page, barcode);
  const back = row(page, barcode);
  await back.getByText(/Was due .* owes \$\d/).waitFor();
  const fines = async () => {
    const query = encodeURIComponent(`loanId==${loans[0]?.id}`);
    return (await library.call<{ totalRecords: number }>(`/accounts?query=${query}`)).totalRecords;
  };
  assert.equal(await fines(), 1);
  // Taken back, with its fine.
  await back.getByRole("button", { name: /^Undo/ }).press("Enter");
  await back.getByText("undone").waitFor();
  assert.equal(await back.getByText(/owes/).count(), 0);
  assert.equal(await fines(), 0);
});

test("a return whose fine has been paid says why it is not taken back", async () => {
  const page = await library.visit();
  const { loans } = await library.call<{ loans: { id: string; item: { barcode: string } }[] }>(
    `/circulation/loans?limit=1&query=${encodeURIComponent('status.name=="Open" sortBy dueDate')}`,
  );
  const [late] = loans;
  await enterDesk(library, page, "/check-in");
  await scan(page, late?.item.barcode ?? "");
  const back = row(page, late?.item.barcode ?? "");
  await back.getByText(/owes \$\d/).waitFor();
  const query = encodeURIComponent(`loanId==${late?.id}`);
  const { accounts } = await library.call<{ accounts: { id: string }[] }>(`/accounts?query=${query}`);
  await library.call(`/accounts/${accounts[0]?.id}/pay`, {
    amount: "0.10",
    paymentMethod: "Cash",
    notifyPatron: false,
    servicePointId: HARBOUR,
    userName: "Somebody",
  });
  await back.getByRole("button", { name: /^Undo/ }).press("Enter");
  await back.getByText("The fee that came with it has been paid, waived or changed since.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("an item that somebody waits for goes to the hold shelf, one of another desk on its way, each with its slip", async () => {
  await requestFor("27001000000445", BELOVED, HARBOUR);
  const page = await library.visit();
  await page.addInitScript(() => {
    window.print = () => {
      document.title = document.querySelector("article.slip")?.textContent ?? "";
    };
  });
  await enterDesk(library, page, "/check-in");
  await scan(page, BELOVED);
  await row(page, BELOVED).getByText("To the hold shelf, for Nielsen, Freya").waitFor();
  await pressButton(page, "Print slip: Beloved");
  await page.waitForFunction(() => document.title.includes("Nielsen") && document.title.includes("Beloved"));

  const film = "37001000000765";
  await requestFor("27001000000445", film, HILLSIDE);
  await page.locator("main input").first().focus();
  await scan(page, film);
  await row(page, film).getByText("On its way to Hillside Library desk").waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("the box of the night is checked in as of yesterday", async () => {
  const page = await library.visit();
  await enterDesk(library, page, "/check-in");
  await pressButton(page, "Backdate returns");
  const field = page.getByLabel("Return date");
  await field.fill("2026-11-20T18:30");
  assert.deepEqual(await axeViolations(page), []);
  const { loans } = await library.call<{ loans: { id: string; item: { barcode: string } }[] }>(
    `/circulation/loans?limit=1&query=${encodeURIComponent('status.name=="Open" sortBy dueDate/sort.descending')}`,
  );
  const [loan] = loans;
  await page.locator(".scan input").focus();
  await scan(page, loan?.item.barcode ?? "");
  await row(page, loan?.item.barcode ?? "")
    .getByText("To the shelf")
    .waitFor();
  const { returnDate } = await library.call<{ returnDate: string }>(`/circulation/loans/${loan?.id}`);
  assert.match(returnDate, /^2026-11-20T18:30/);
});

test("nothing is cut off at a phone", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await enterDesk(library, page, "/check-in");
  await scan(page, "no-such-barcode");
  await row(page, "no-such-barcode").getByText("Not checked in").waitFor();
  await checkPage(page, "the page");
});

async function requestFor(userBarcode: string, itemBarcode: string, pickup: string): Promise<void> {
  const find = <T>(path: string, barcode: string) =>
    library.call<Record<string, T[]>>(`${path}?query=${encodeURIComponent(`barcode=="${barcode}"`)}`);
  const user = (await find<{ id: string }>("/users", userBarcode)).users?.[0];
  const item = (await find<{ id: string; holdingsRecordId: string }>("/inventory/items", itemBarcode)).items?.[0];
  const holdings = await library.call<{ instanceId: string }>(`/holdings-storage/holdings/${item?.holdingsRecordId}`);
  await library.call("/circulation/requests", {
    requestType: "Page",
    requestLevel: "Item",
    requestDate: new Date().toISOString(),
    requesterId: user?.id,
    itemId: item?.id,
    holdingsRecordId: item?.holdingsRecordId,
    instanceId: holdings.instanceId,
    fulfillmentPreference: "Hold Shelf",
    pickupServicePointId: pickup,
  });
}
