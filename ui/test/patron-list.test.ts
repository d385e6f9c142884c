/** The list of patrons, narrowed, and a patron who is deleted, by keyboard alone. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import {
  axeViolations,
  checkPage,
  enterDesk,
  type Library,
  openDesk,
  openLibrary,
  pressButton,
  row,
} from "./library.ts";

const FACULTY = "503a81cd-6c26-400f-b620-14c08943697c";
const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

async function createPatron(lastName: string, barcode: string, more: object = {}): Promise<string> {
  const personal = { lastName, firstName: "Alex", email: "alex@example.org", preferredContactTypeId: "002", ...more };
  const user = { id: randomUUID(), barcode, active: true, patronGroup: FACULTY, personal };
  await library.call("/users", user);
  return user.id;
}

/**
 * The server's timer sets expired patrons to inactive, up to a minute after its start: a count would change meanwhile.
 */
async function endExpiredRegistrations(): Promise<void> {
  const query = encodeURIComponent(`active==true and expirationDate<"${new Date().toISOString()}"`);
  const { users } = await library.call<{ users: { id: string }[] }>(`/users?limit=1000&query=${query}`);
  for (const user of users) await library.call(`/users/${user.id}`, { ...user, active: false }, "PUT");
}

test("the list is narrowed, by filters alone or with words, and the address keeps it", async () => {
  await endExpiredRegistrations();
  const { totalRecords } = await library.call<{ totalRecords: number }>(
    `/users?limit=0&query=${encodeURIComponent("active==false")}`,
  );
  const page = await library.visit();
  await enterDesk(library, page, "/patrons");
  await page.getByRole("button", { name: /Account/ }).press("Enter");
  await page.getByRole("option", { name: "Inactive", exact: true }).press("Enter");
  await page.getByText(`${totalRecords} found`).waitFor();
  await page.waitForURL(/status=inactive/);
  assert.deepEqual(await axeViolations(page), []);
  await page.reload();
  await page.getByText(`${totalRecords} found`).waitFor();
  await pressButton(page, "Clear filters");
  await page.getByText("Enter a search or set a filter to list patrons.").waitFor();

  await page.getByText("Registration has ended").press("Space");
  await page.waitForURL(/expired=yes/);
  await row(page, "Noah Williams").waitFor();
  await page.getByRole("searchbox").fill("will");
  await page.getByText("1 found").waitFor();
  await page.getByRole("button", { name: /Group/ }).press("Enter");
  await page.getByRole("option", { name: "faculty" }).press("Enter");
  await page.getByText("0 found").waitFor();
});

test("who has been registered here since a day, and namesakes told apart", async () => {
  await createPatron("Namesake", "27009600000013", { dateOfBirth: "1970-01-31" });
  await createPatron("Namesake", "27009600000021", { dateOfBirth: "2001-12-24" });
  const page = await library.visit();
  await enterDesk(library, page, "/patrons?query=namesake");
  await row(page, "27009600000013").getByText("born Jan 31, 1970").waitFor();
  await row(page, "27009600000021").getByText("born Dec 24, 2001").waitFor();
  await row(page, "27009600000021").getByText("faculty").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("Record created since").fill(tomorrow);
  await page.getByText("0 found").waitFor();
  await page.getByLabel("Record created since").fill("2020-01-01");
  await page.getByText("2 found").waitFor();
});

test("who owes something is found, with how much", async () => {
  const id = await createPatron("Debtor", "27009600000039");
  const { owners } = await library.call<{ owners: { id: string; owner: string }[] }>("/owners");
  const { feefines } = await library.call<{ feefines: { id: string; feeFineType: string }[] }>("/feefines");
  await library.call("/accounts", {
    id: randomUUID(),
    userId: id,
    amount: 12.5,
    remaining: 12.5,
    status: { name: "Open" },
    paymentStatus: { name: "Outstanding" },
    ownerId: owners[0]?.id,
    feeFineOwner: owners[0]?.owner,
    feeFineId: feefines[0]?.id,
    feeFineType: feefines[0]?.feeFineType,
  });
  const page = await library.visit();
  await enterDesk(library, page, "/patrons");
  await page.getByText("Owes fees/fines").press("Space");
  await row(page, "Alex Debtor").getByText("owes $12.50").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("searchbox").fill("namesake");
  await page.getByText("0 found").waitFor();
});

test("a patron with an open loan cannot be deleted and is told why; without one, they can", async () => {
  const id = await createPatron("Leaving", "27009600000047");
  const [copy = ""] = await library.lendable();
  const loan = { itemBarcode: copy, userBarcode: "27009600000047", servicePointId: HARBOUR };
  await library.call("/circulation/check-out-by-barcode", loan);
  const page = await library.visit();
  await openDesk(library, page, `/patrons/${id}/edit`);
  await pressButton(page, "Delete");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1 open loan").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole("button", { name: "Close" }).last().press("Enter");
  await library.call("/circulation/check-in-by-barcode", {
    itemBarcode: copy,
    servicePointId: HARBOUR,
    checkInDate: new Date().toISOString(),
  });
  await pressButton(page, "Delete");
  await dialog.getByText("It cannot be brought back.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByText("Enter a search or set a filter to list patrons.").waitFor();
  await assert.rejects(library.call(`/users/${id}`), /404/);
});

test("nothing is cut off at a phone", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await enterDesk(library, page, "/patrons?query=a&status=active");
  await page.getByText(/\d+ found/).waitFor();
  await checkPage(page, "the page");
});
