/** What would let a patron borrow: one press to all that stands against it, each with its remedy, by keyboard alone. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import {
  axeViolations,
  createStaff,
  enterDesk,
  type Library,
  openLibrary,
  pressButton,
  row,
  scan,
  signInAs,
} from "./library.ts";

const FACULTY = "503a81cd-6c26-400f-b620-14c08943697c";
const OPEN = "Why can this patron not borrow?";

let library: Library;
let copies: string[];
before(async () => {
  library = await openLibrary();
  copies = await library.lendable();
});
after(() => library?.close());

async function createPatron(barcode: string, more: object = {}): Promise<string> {
  const user = {
    id: randomUUID(),
    barcode,
    active: true,
    patronGroup: FACULTY,
    expirationDate: "2035-01-31T23:59:59.000+00:00",
    personal: { lastName: `Blocked ${barcode.slice(-2)}`, email: "b@example.org", preferredContactTypeId: "002" },
    ...more,
  };
  await library.call("/users", user);
  return user.id;
}

const newBlock = (userId: string) => ({
  id: randomUUID(),
  userId,
  type: "Manual",
  desc: "Has to show a new address",
  borrowing: true,
  renewals: false,
  requests: false,
});

test("a block and an inactive account are removed with a press each, and what was refused goes out", async () => {
  const barcode = "27009900000012";
  const id = await createPatron(barcode, { active: false });
  await library.call("/manualblocks", newBlock(id));
  const [copy = ""] = copies.splice(0, 1);
  const page = await library.visit();
  await enterDesk(library, page);
  await scan(page, barcode);
  await page.getByRole("button", { name: OPEN }).waitFor();
  await scan(page, copy);
  // Refused, with its title and to whom.
  await row(page, copy).getByText("Not checked out to Blocked 12").waitFor();
  await page.getByRole("button", { name: OPEN }).first().press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Their account is set to inactive.").waitFor();
  await dialog.getByText("Manual block: Has to show a new address").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole("button", { name: "Remove this block" }).press("Enter");
  await dialog.getByText("Manual block").waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: "Set active" }).press("Enter");
  await row(page, copy).getByText(/^due /).waitFor();
  await page.keyboard.press("Escape");
  assert.equal((await library.call<{ active: boolean }>(`/users/${id}`)).active, true);
});

test("a limit is overridden for all that was refused, with a reason", async () => {
  const barcode = "27009900000020";
  const id = await createPatron(barcode);
  await library.call("/manualblocks", newBlock(id));
  const [one = "", other = ""] = copies.splice(0, 2);
  const page = await library.visit();
  await enterDesk(library, page);
  await scan(page, barcode);
  await page.getByRole("button", { name: OPEN }).waitFor();
  await scan(page, one, other);
  await row(page, one)
    .getByText(/^Not checked out/)
    .waitFor();
  await row(page, other)
    .getByText(/^Not checked out/)
    .waitFor();
  await page.getByRole("button", { name: OPEN }).first().press("Enter");
  await page.getByRole("button", { name: "Override for what was refused" }).press("Enter");
  await page.getByLabel("Reason").fill("The head of the library knows");
  await page.getByRole("dialog").last().getByRole("button", { name: "Override", exact: true }).press("Enter");
  await row(page, one).getByText(/^due /).waitFor();
  await row(page, other).getByText(/^due /).waitFor();
});

test("whoever may change nothing is told so, and the end of a session says what was lent until when", async () => {
  const barcode = "27009900000038";
  const id = await createPatron(barcode);
  await library.call("/manualblocks", newBlock(id));
  await createStaff(library, "blocker", [
    "circulation.check-out-by-barcode.post",
    "circulation.loans.collection.get",
    "circulation.requests.collection.get",
    "accounts.collection.get",
    "manualblocks.collection.get",
    "automated-patron-blocks.collection.get",
    "users.collection.get",
    "users.item.get",
    "usergroups.collection.get",
    "inventory.items.collection.get",
  ]);
  const page = await library.visit();
  await signInAs(library, page, "blocker", "/check-out");
  await page.locator("main input:focus").waitFor();
  await scan(page, barcode);
  await page.getByRole("button", { name: OPEN }).first().press("Enter");
  await page.getByText("Your account may not change this.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Remove this block" }).count(), 0);
  await page.keyboard.press("Escape");
  await page.locator(".scan input:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Patron barcode" }).waitFor();
  const [copy = ""] = copies.splice(0, 1);
  await scan(page, "27001000000445");
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
  await scan(page, copy);
  const title = (await row(page, copy).locator("strong").first().textContent()) ?? "";
  await row(page, copy).getByText(/^due /).waitFor();
  await pressButton(page, "End session");
  await page
    .locator(".past li")
    .filter({ hasText: title })
    .getByText(/^due .*20\d\d/)
    .waitFor();
  assert.deepEqual(await axeViolations(page), []);
});
