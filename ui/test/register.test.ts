/** Patrons are registered and their records changed, by keyboard alone. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { chooseFrom, pressAt, typeInto } from "./keyboard.ts";
import {
  axeViolations,
  checkPage,
  createStaff,
  enterDesk,
  findOverflowing,
  type Library,
  openDesk,
  openLibrary,
  type Page,
  pressButton,
  scanQuickly,
  signInAs,
  submitForm,
  waitForFocus,
  waitUntilEqual,
} from "./library.ts";

const FACULTY = "503a81cd-6c26-400f-b620-14c08943697c";
const HOME = "93d3d88d-499b-45d0-9bc7-ac73c3a19880";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

interface User {
  id: string;
  barcode?: string;
  active: boolean;
  type?: string;
  patronGroup: string;
  expirationDate?: string;
  departments: string[];
  tags?: { tagList: string[] };
  personal: {
    lastName: string;
    firstName?: string;
    email?: string;
    dateOfBirth?: string;
    preferredContactTypeId: string;
    addresses: Record<string, unknown>[];
  };
}

async function findPatron(barcode: string): Promise<User> {
  const query = encodeURIComponent(`barcode=="${barcode}"`);
  const { users } = await library.call<{ users: User[] }>(`/users?query=${query}`);
  const [found] = users;
  assert.ok(found, barcode);
  return found;
}

async function createPatron(personal: object, more: object = {}): Promise<User> {
  const user = { id: randomUUID(), active: true, patronGroup: FACULTY, personal, ...more };
  await library.call("/users", user);
  return library.call<User>(`/users/${user.id}`);
}

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`${label}$`) }).press("Enter");
  await page.getByRole("option", { name: option, exact: true }).press("Enter");
}

async function openForm(page: Page, path = "/patrons/new"): Promise<void> {
  await page.goto(`${library.address}/desk${path}`);
  await waitForFocus(page, field(page, "Last name"));
}

test("a patron is registered: name, scanned card, group with its time, contact, address", async () => {
  const page = await library.visit();
  await enterDesk(library, page, "/patrons");
  await page.keyboard.press("Alt+n");
  await page.waitForURL(/patrons\/new$/);
  await waitForFocus(page, field(page, "Last name"));
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.type("Lindqvist");
  await field(page, "First name").fill("Astrid");
  // The card is scanned while the focus is in another field: nothing is sent, and that field is as it was.
  await scanQuickly(page, "27009900000017");
  await page.locator('input[value="27009900000017"]').waitFor();
  await waitUntilEqual(() => field(page, "First name").inputValue(), "Astrid");
  await page.getByLabel("Date of birth").fill("1987-05-04");
  await choose(page, "Group", "faculty");
  await page.getByText("Proposed by the group").waitFor();
  await field(page, "E-mail").fill("astrid@example.org");
  await pressButton(page, "Add an address");
  await field(page, "Street and number").fill("3 Harbour Street");
  await field(page, "City").fill("Westhaven");
  await choose(page, "Country", "United States");
  await field(page, "Tags").fill("Visiting, visiting, exhibition");
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await submitForm(page), 201);
  await page.getByRole("heading", { name: "Astrid Lindqvist" }).waitFor();
  const made = await findPatron("27009900000017");
  assert.equal(made.active, true);
  assert.equal(made.patronGroup, FACULTY);
  assert.equal(made.personal.dateOfBirth?.slice(0, 10), "1987-05-04");
  assert.equal(made.personal.preferredContactTypeId, "002");
  assert.deepEqual(made.tags?.tagList, ["visiting", "exhibition"]);
  const [address] = made.personal.addresses;
  assert.deepEqual([address?.addressTypeId, address?.primaryAddress, address?.countryId], [HOME, true, "US"]);
  const days = (Date.parse(made.expirationDate ?? "") - Date.now()) / 86_400_000;
  assert.ok(days > 364 && days <= 366, `registered for ${days} days`);
});

test("what must be there is asked for, and a scan into the barcode field sends nothing", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await openForm(page);
  await page.keyboard.press("Enter");
  await waitForFocus(page, field(page, "Last name"));
  await page.keyboard.type("Nobody");
  await field(page, "Patron barcode").focus();
  await page.keyboard.type("27009900000099");
  await page.keyboard.press("Enter");
  await waitUntilEqual(() => field(page, "Patron barcode").inputValue(), "27009900000099");
  assert.ok(page.url().endsWith("/patrons/new"));
  // By letter, nobody needs an e-mail.
  await choose(page, "Preferred contact", "Letter");
  await choose(page, "Group", "undergrad");
  assert.equal(await submitForm(page), 201);
  await page.getByRole("heading", { name: "Nobody" }).waitFor();
});

test("who may be registered already is shown with what tells them apart, before it is saved", async () => {
  const barcode = "27009900000031";
  await createPatron(
    { lastName: "Šimek", firstName: "Jan", dateOfBirth: "1990-02-01", email: "jan@example.org" },
    { barcode },
  );
  const page = await library.visit();
  await enterDesk(library, page);
  await openForm(page);
  await page.keyboard.type("Simek");
  await field(page, "First name").fill("Jan");
  await page.getByText("Registered already?").waitFor();
  await page.getByText(`born Feb 1, 1990 · faculty · ${barcode}`).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await choose(page, "Group", "undergrad");
  await field(page, "E-mail").fill("jan@example.org");
  await page.getByText("same e-mail, same name").waitFor();
  await page.getByRole("button", { name: "Save" }).press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("link", { name: "Jan Šimek" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "Back to the form");
  await dialog.waitFor({ state: "detached" });
  await field(page, "E-mail").fill("other@example.org");
  await field(page, "Patron barcode").fill(barcode);
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await dialog.getByText("No two patrons may have that").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "None of these: save" }).count(), 0);
  await page.keyboard.press("Escape");
  await field(page, "Patron barcode").fill("27009900000048");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  assert.equal(await submitForm(page, "None of these: save"), 201);
  await page.getByRole("heading", { name: "Jan Simek" }).waitFor();
});

test("an address is changed; what the form does not show stays as it is", async () => {
  const custom = { proxyFor: [], enrollmentDate: "2020-01-01T00:00:00.000+00:00" };
  const addresses = [{ addressTypeId: HOME, city: "Oldtown", primaryAddress: true }];
  const before = await createPatron(
    { lastName: "Mbeki", email: "m@example.org", preferredContactTypeId: "002", addresses, mobilePhone: "1" },
    { barcode: "27009900000055", username: "mbeki", ...custom },
  );
  const page = await library.visit();
  await openDesk(library, page, `/patrons/${before.id}`);
  await page.getByRole("link", { name: "Edit" }).press("Enter");
  await waitForFocus(page, field(page, "Last name"));
  await field(page, "City").fill("Newtown");
  assert.equal(await submitForm(page), 204);
  await page.getByRole("heading", { name: "Mbeki" }).waitFor();
  const now = await library.call<User>(`/users/${before.id}`);
  const expected = { ...before, personal: { ...before.personal, addresses: [{ ...addresses[0], city: "Newtown" }] } };
  // The server dates every change, FOLIO's `createdDate` too.
  const told = (user: User) => ({ ...user, metadata: undefined, createdDate: undefined, updatedDate: undefined });
  assert.deepEqual(told(now), told(expected));
});

test("what somebody else has changed meanwhile is said and kept", async () => {
  const user = await createPatron(
    { lastName: "Pereira", email: "p@example.org", preferredContactTypeId: "002", phone: "1" },
    { barcode: "27009900000062" },
  );
  const page = await library.visit();
  await enterDesk(library, page);
  await openForm(page, `/patrons/${user.id}/edit`);
  await field(page, "Phone").fill("2");
  const theirs = { ...user, personal: { ...user.personal, firstName: "Inês", phone: "3" } };
  await library.call(`/users/${user.id}`, theirs, "PUT");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByText("Somebody else has changed this patron meanwhile, Phone among it.").waitFor();
  await waitUntilEqual(() => field(page, "First name").inputValue(), "Inês");
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await submitForm(page), 204);
  await page.getByRole("heading", { name: "Inês Pereira" }).waitFor();
  const { personal } = await library.call<User & { personal: { phone: string } }>(`/users/${user.id}`);
  assert.equal(personal.phone, "2");
});

test("a child is registered with the address of a parent, and with a name, a card and a group of their own", async () => {
  const addresses = [{ addressTypeId: HOME, addressLine1: "5 Quay", city: "Westhaven", primaryAddress: true }];
  const parent = await createPatron(
    { lastName: "Okonkwo", firstName: "Ada", email: "ada@example.org", preferredContactTypeId: "002", addresses },
    { barcode: "27009900000093" },
  );
  const page = await library.visit();
  await openDesk(library, page, `/patrons/${parent.id}`);
  await pressAt(page.getByRole("link", { name: "Register a member of the household" }));
  await page.getByText("Last name, addresses, telephone and e-mail are those of Ada Okonkwo").waitFor();
  await waitUntilEqual(() => field(page, "Last name").inputValue(), "Okonkwo");
  await checkPage(page, "the form of a child");
  await typeInto(field(page, "First name"), "Chidi");
  await scanQuickly(page, "27009900000094");
  await page.locator('input[value="27009900000094"]').waitFor();
  await chooseFrom(page.getByRole("button", { name: /Group$/ }), "faculty");
  await pressAt(page.getByRole("button", { name: "Save" }));
  await page.getByRole("heading", { name: "Chidi Okonkwo" }).waitFor();
  const made = await findPatron("27009900000094");
  assert.notEqual(made.id, parent.id);
  const [address] = made.personal.addresses;
  assert.deepEqual(
    [address?.addressLine1, address?.city, made.personal.email],
    ["5 Quay", "Westhaven", "ada@example.org"],
  );
  assert.ok(made.expirationDate, "the group has said until when");
});

test("whoever leaves a form that is not saved is asked, by key, link and the way back", async () => {
  const page = await library.visit();
  await enterDesk(library, page, "/patrons");
  await page.getByRole("link", { name: /Register a patron/ }).press("Enter");
  await waitForFocus(page, field(page, "Last name"));
  await page.keyboard.type("Half");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  for (const leave of [
    () => page.keyboard.press("Alt+t"),
    () => page.getByRole("link", { name: "Cancel" }).press("Enter"),
    () => page.evaluate(() => history.back()),
  ]) {
    await leave();
    await question.waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await pressButton(page, "Stay here");
    await question.waitFor({ state: "detached" });
    assert.ok(page.url().endsWith("/patrons/new"));
    await waitUntilEqual(() => field(page, "Last name").inputValue(), "Half");
  }
  await page.evaluate(() => history.back());
  await question.waitFor();
  await pressButton(page, "Leave without saving");
  await page.getByRole("searchbox").waitFor();
});

test("whoever may not register patrons is told so", async () => {
  await createStaff(library, "reader", ["users.collection.get", "users.item.get", "usergroups.collection.get"]);
  const page = await library.visit();
  await signInAs(library, page, "reader", "/patrons/new");
  await page.getByText("Your account may not use this").waitFor();
});

test("nothing is cut off at a phone", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await enterDesk(library, page);
  await openForm(page);
  await pressButton(page, "Add an address");
  assert.deepEqual(await findOverflowing(page), []);
  await checkPage(page, "the page");
});
