/** Registrations that have ended are renewed, at check-out and on the patron's page, by keyboard alone. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import {
  axeViolations,
  createStaff,
  enterDesk,
  type Library,
  openDesk,
  openLibrary,
  type Page,
  pressButton,
  row,
  scan,
  signInAs,
  waitForFocus,
} from "./library.ts";

const FACULTY = "503a81cd-6c26-400f-b620-14c08943697c";

let library: Library;
let copies: string[];
before(async () => {
  library = await openLibrary();
  copies = await library.lendable();
});
after(() => library?.close());

interface User {
  id: string;
  active: boolean;
  expirationDate: string;
}

/** Whose registration of a year, by the group, ended in January 2025. */
async function createExpiredPatron(barcode: string, active: boolean): Promise<string> {
  const user = {
    id: randomUUID(),
    barcode,
    active,
    patronGroup: FACULTY,
    expirationDate: "2025-01-31T23:59:59.000+00:00",
    personal: { lastName: `Late ${barcode.slice(-2)}`, email: "late@example.org", preferredContactTypeId: "002" },
  };
  await library.call("/users", user);
  return user.id;
}

async function checkRegisteredForAYear(id: string): Promise<void> {
  const user = await library.call<User>(`/users/${id}`);
  const days = (Date.parse(user.expirationDate) - Date.now()) / 86_400_000;
  assert.ok(days > 364 && days <= 366, `registered for ${days} days`);
  assert.equal(user.active, true);
}

const renewal = (page: Page, barcode: string) =>
  row(page, barcode).getByRole("button", { name: /^Renew registration until .*20\d\d/ });

for (const [active, also] of [
  [true, ""],
  [false, " and set active"],
] as const) {
  test(`at check-out one press renews, and what was refused goes out${also}`, async () => {
    const barcode = active ? "27009800000011" : "27009800000029";
    const id = await createExpiredPatron(barcode, active);
    const [one = "", other = ""] = copies.splice(0, 2);
    const page = await library.visit();
    await enterDesk(library, page);
    await scan(page, barcode);
    await page.getByText(/^expired on .* 2025$/).waitFor();
    await scan(page, one, other);
    await renewal(page, one).waitFor();
    await renewal(page, other).waitFor();
    assert.deepEqual(await axeViolations(page), []);
    const name = (await renewal(page, other).textContent()) ?? "";
    // The server's timer makes whoever has expired inactive, some time after it has started.
    const { active: isStillActive } = await library.call<User>(`/users/${id}`);
    assert.equal(name.endsWith("and set active"), !isStillActive);
    await pressButton(page, name);
    await row(page, one).getByText(/^due /).waitFor();
    await row(page, other).getByText(/^due /).waitFor();
    await page.getByText(/^until .*20\d\d$/).waitFor();
    await checkRegisteredForAYear(id);
  });
}

test("whoever may not change patrons is shown no button", async () => {
  const barcode = "27009800000037";
  await createExpiredPatron(barcode, true);
  await createStaff(library, "lender", [
    "circulation.check-out-by-barcode.post",
    "users.collection.get",
    "users.item.get",
    "usergroups.collection.get",
    "circulation.loans.collection.get",
    "inventory.items.collection.get",
  ]);
  const page = await library.visit();
  await signInAs(library, page, "lender", "/check-out");
  await page.locator("main input:focus").waitFor();
  await scan(page, barcode);
  await page.getByText(/^expired on .* 2025$/).waitFor();
  const [copy = ""] = copies;
  await scan(page, copy);
  await row(page, copy).getByText("Renew the patron's registration").waitFor();
  assert.equal(await renewal(page, copy).count(), 0);
});

test("on the patron's page it is renewed for as long as the group says, or until another day", async () => {
  const id = await createExpiredPatron("27009800000045", false);
  const page = await library.visit();
  await openDesk(library, page, `/patrons/${id}`);
  await pressButton(page, "Renew registration");
  const dialog = page.getByRole("dialog");
  await waitForFocus(page, dialog.getByLabel("Expiration date"));
  await dialog.getByText("Proposed by the group: 365 days from today.").waitFor();
  await dialog.getByText("It becomes active again.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole("button", { name: "Renew" }).press("Enter");
  await dialog.waitFor({ state: "detached" });
  await checkRegisteredForAYear(id);
  await pressButton(page, "Renew registration");
  await dialog.getByLabel("Expiration date").fill("2031-05-01");
  await dialog.getByRole("button", { name: "Renew" }).press("Enter");
  await page.getByText("until Thu, May 1, 2031", { exact: true }).waitFor();
});
