/** Two records of one person are merged at the desk, and taken apart again, by keyboard alone. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import {
  axeViolations,
  enterDesk,
  type Library,
  openLibrary,
  type Page,
  pressButton,
  scan,
  submitForm,
  waitForFocus,
} from "./library.ts";

const FACULTY = "503a81cd-6c26-400f-b620-14c08943697c";
const POINT = "33154e2e-7bf2-585b-9b21-e1dafd383e05";

let library: Library;
let copies: string[];
before(async () => {
  library = await openLibrary();
  copies = await library.lendable();
});
after(() => library?.close());

interface User {
  id: string;
  barcode?: string;
  active: boolean;
}

async function createPatron(lastName: string, barcode: string): Promise<string> {
  const personal = { lastName, email: "somebody@example.org", preferredContactTypeId: "002" };
  const user = { id: randomUUID(), barcode, active: true, patronGroup: FACULTY, personal };
  await library.call("/users", user);
  return user.id;
}

const user = (id: string) => library.call<User>(`/users/${id}`);

async function checkOutItem(userBarcode: string): Promise<string> {
  const itemBarcode = copies.shift() ?? "";
  await library.call("/circulation/check-out-by-barcode", { itemBarcode, userBarcode, servicePointId: POINT });
  return itemBarcode;
}

/** The dialog on the patron's form, with the duplicate's card scanned. */
async function choose(page: Page, id: string, card: string) {
  await page.goto(`${library.address}/desk/patrons/${id}/edit`);
  await pressButton(page, "Merge with a duplicate");
  const dialog = page.getByRole("dialog");
  await waitForFocus(page, dialog.getByRole("textbox", { name: "The duplicate" }));
  await scan(page, card);
  return dialog;
}

test("a duplicate's loan goes over with the card, and both come back", async () => {
  const kept = await createPatron("Kept", "27009900000010");
  const duplicate = await createPatron("Double", "27009900000028");
  const item = await checkOutItem("27009900000028");
  const page = await library.visit();
  await enterDesk(library, page);
  const dialog = await choose(page, kept, "27009900000028");
  await dialog.getByText("1 loan, with its history").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole("checkbox").press("Space");
  await dialog.getByRole("checkbox", { checked: true }).waitFor();
  assert.equal(await submitForm(page, "Merge"), 201);
  await page.getByRole("tabpanel").getByText(item).waitFor();
  assert.equal((await user(kept)).barcode, "27009900000028");
  const emptied = await user(duplicate);
  assert.deepEqual([emptied.active, emptied.barcode], [false, undefined]);

  await page.goto(`${library.address}/desk/patrons/${kept}/edit`);
  await pressButton(page, "Merge with a duplicate");
  await page
    .getByRole("dialog")
    .getByText(/^Double, on /)
    .waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "Undo: Double");
  await page.getByText("Merge undone: Double").waitFor({ state: "attached" });
  assert.equal((await user(kept)).barcode, "27009900000010");
  const apart = await user(duplicate);
  assert.deepEqual([apart.active, apart.barcode], [true, "27009900000028"]);
});

test("what stands against it is said before, and a refusal changes nothing", async () => {
  const kept = await createPatron("Waiting", "27009900000036");
  const page = await library.visit();
  await enterDesk(library, page);
  const dialog = await choose(page, kept, "27009900000036");
  await dialog.getByText("Both are the same record.").waitFor();
  await submitForm(page, "Merge");
  await dialog.getByText("Both are the same record.").nth(1).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const { active, barcode } = await user(kept);
  assert.deepEqual([active, barcode], [true, "27009900000036"]);
});
