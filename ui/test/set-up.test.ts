/** Service points, locations, fees, roles and permissions, by keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  axeViolations,
  checkPage,
  createStaff,
  enterDesk,
  type Library,
  openDesk,
  openLibrary,
  pressButton,
  row,
  signInAs,
  submitForm,
  waitUntilEqual,
} from "./library.ts";

const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";
const FICTION = "244e9d2c-5484-5fda-873d-b26fde67d328";
const OWNER = "2413cbbf-b04f-5d30-90c1-f32e1a7a6cb2";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

interface ServicePoint {
  holdShelfExpiryPeriod: object;
  staffSlips: { id: string; printByDefault: boolean }[];
}

const patronWith = async (barcode: string) => {
  const query = encodeURIComponent(`barcode=="${barcode}"`);
  const { users } = await library.call<{ users: { id: string }[] }>(`/users?query=${query}`);
  return users[0]?.id ?? "";
};

test("a service point keeps requests so long, and prints these slips; locations keep it", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/service-points");
  await page.getByRole("link", { name: "Harbour Library desk" }).press("Enter");
  await page.getByText("Locations belong to it. Change them first.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0);
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("textbox", { name: "Kept on the hold shelf for" }).fill("12");
  await page.getByRole("checkbox", { name: "Transit" }).press("Space");
  assert.ok((await submitForm(page)) < 300);
  await page.getByText("Saved.").first().waitFor();
  const point = await library.call<ServicePoint>(`/service-points/${HARBOUR}`);
  assert.deepEqual(point.holdShelfExpiryPeriod, { duration: 12, intervalId: "Days" });
  assert.deepEqual(point.staffSlips.map(({ printByDefault }) => printByDefault).sort(), [false, true]);

  await page.getByRole("checkbox", { name: "Patrons can pick up requests here" }).press("Space");
  await page.getByRole("textbox", { name: "Kept on the hold shelf for" }).waitFor({ state: "detached" });
});

test("a location is of a library, and with it of its campus and institution", async () => {
  const page = await library.visit();
  await openDesk(library, page, `/settings/locations/new?like=${FICTION}`);
  await waitUntilEqual(
    () => page.getByRole("textbox", { name: "Name", exact: true }).inputValue(),
    "Harbour: Fiction (copy)",
  );
  await page.getByRole("textbox", { name: "Code" }).fill("WH/HS/FIC");
  await page
    .getByRole("button", { name: /Library$/ })
    .first()
    .press("Enter");
  await page.getByRole("option", { name: "Hillside Library" }).press("Enter");
  assert.equal(await submitForm(page), 422);
  await page.getByText("This is taken: another one has it already.").first().waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Code" }).getAttribute("aria-invalid"), "true");
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("textbox", { name: "Code" }).fill("WH/HS/NEW");
  assert.equal(await submitForm(page), 201);
  await page.waitForURL(/locations\/[0-9a-f-]{36}$/);
  const made = await library.call<{ libraryId: string; institutionId: string }>(
    `/locations/${page.url().split("/").at(-1)}`,
  );
  assert.equal(made.libraryId, "590c9073-7c4f-5201-afb9-be8990aab1b3");
  assert.equal(made.institutionId, "4139c36a-d979-529f-9176-7538d351d3fe");
});

test("fees are set up: owners, kinds, ways to pay, reasons, accounts", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/fee-types");
  await page.getByRole("link", { name: "Overdue fine" }).press("Enter");
  await page.getByText("This one belongs to the server").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.goto(`${library.address}/desk/settings/fee-owners/${OWNER}`);
  await page.getByRole("checkbox", { name: "Harbour Library desk" }).waitFor();
  await waitUntilEqual(() => page.getByRole("checkbox", { name: "Harbour Library desk" }).isChecked(), true);
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByText("Fee/fine types belong to it. Delete them first.").waitFor();
  for (const list of ["payment-methods", "waive-reasons", "refund-reasons", "transfer-accounts", "roles"]) {
    await page.goto(`${library.address}/desk/settings/${list}`);
    await page.getByRole("link", { name: /^New / }).waitFor();
    assert.deepEqual(await axeViolations(page), [], list);
  }
  await page.goto(`${library.address}/desk/settings/refund-reasons/new`);
  await page.getByRole("textbox", { name: "Reason" }).fill("Paid twice");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.waitForURL(/refund-reasons\/[0-9a-f-]{36}$/);
  const { refunds } = await library.call<{ refunds: { nameReason: string }[] }>("/refunds");
  assert.deepEqual(
    refunds.map(({ nameReason }) => nameReason),
    ["Paid twice"],
  );
});

test("a fee is charged by hand, about an item", async () => {
  const id = await patronWith("27001000000445");
  const page = await library.visit();
  await openDesk(library, page, `/patrons/${id}?show=fees`);
  await pressButton(page, "New fee/fine");
  const dialog = page.getByRole("dialog");
  // A list opens once there is something in it.
  await dialog.locator("option", { hasText: "Replacement of a library card" }).waitFor({ state: "attached" });
  await dialog.getByRole("button", { name: /Fee\/fine type$/ }).press("Enter");
  await page.getByRole("option", { name: "Replacement of a library card" }).press("Enter");
  await waitUntilEqual(() => dialog.getByLabel("Amount").inputValue(), "3.00");
  await dialog.getByLabel("Item barcode").fill("no such barcode");
  await dialog.getByRole("button", { name: "Charge" }).press("Enter");
  await dialog.getByText("No item with barcode no such barcode could be found").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByLabel("Item barcode").fill("37001000000096");
  await dialog.getByLabel("Amount").fill("2.50");
  await dialog.getByLabel("Comment for staff").fill("Lost on the ferry");
  await dialog.getByRole("button", { name: "Charge" }).press("Enter");
  const fee = row(page, "Replacement of a library card");
  await fee.getByText("$2.50").waitFor();
  await fee.getByText("37001000000096").waitFor();
  await pressButton(page, "Pay");
  await page.getByRole("button", { name: /Cash/ }).waitFor();
  await dialog.getByRole("button", { name: "Pay", exact: true }).press("Enter");
  await page.getByRole("heading", { name: "$2.50 paid" }).waitFor();
});

test("a role is made and given, and its permissions are explained", async () => {
  await createStaff(library, "newcomer", ["users.collection.get"]);
  const page = await library.visit();
  await openDesk(library, page, "/settings/roles/new");
  await page.getByRole("textbox", { name: "Name" }).fill("Desk staff");
  await page.getByLabel("Find a role, set or permission").fill("circulation.all");
  await page
    .getByRole("region", { name: "What it contains" })
    .getByRole("button", { name: /^circulation\.all\s/ })
    .press("Enter");
  await page.getByRole("button", { name: "Take out: circulation.all" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.waitForURL(/roles\/[0-9a-f-]{36}$/);

  const query = encodeURIComponent('username=="newcomer"');
  const { users } = await library.call<{ users: { id: string }[] }>(`/users?query=${query}`);
  const why = "permission=check-out-by-barcode";
  await page.goto(`${library.address}/desk/patrons/${users[0]?.id}?show=permissions&${why}`);
  const answer = row(page, "circulation.check-out-by-barcode.post");
  await answer.getByText("may not").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "Assign a permission");
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Desk staff/ })
    .press("Enter");
  await answer.getByText(/^Because of Desk staff → circulation\.all/).waitFor();
  await page.getByText("role of this library").waitFor();
  assert.deepEqual(await axeViolations(page), []);

  await pressButton(page, "Set a password");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("New password").fill("short");
  await dialog.getByRole("button", { name: "Set a password" }).press("Enter");
  await dialog.getByText("At least eight characters.").waitFor();
  await dialog.getByLabel("New password").fill("Quite-l0ng-enough");
  await dialog.getByRole("button", { name: "Set a password" }).press("Enter");
  await dialog.waitFor({ state: "detached" });
  await library.call("/authn/login", { username: "newcomer", password: "Quite-l0ng-enough" });

  await pressButton(page, "Withdraw: Desk staff");
  await dialog.getByRole("button", { name: "Withdraw" }).press("Enter");
  await answer.getByText("may not").waitFor();
});

test("who may not see permissions finds no such part of the page", async () => {
  await createStaff(library, "clerk", ["users.collection.get", "users.item.get", "circulation.all"]);
  const id = await patronWith("27001000000445");
  const page = await library.visit();
  await signInAs(library, page, "clerk", `/patrons/${id}`);
  await page.getByRole("tab", { name: /^Loans/ }).waitFor();
  assert.equal(await page.getByRole("tab", { name: "Permissions" }).count(), 0);
  assert.equal(await page.getByRole("link", { name: /^Settings/ }).count(), 0);
});

test("nothing is cut off at a phone", async () => {
  const id = await patronWith("27001000000445");
  const page = await library.visit({ width: 375, height: 740 });
  await enterDesk(library, page);
  for (const path of [
    `settings/service-points/${HARBOUR}`,
    `settings/fee-owners/${OWNER}`,
    "settings/roles/new",
    `patrons/${id}?show=permissions&permission=circulation`,
  ]) {
    await page.goto(`${library.address}/desk/${path}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await checkPage(page, path);
  }
});
