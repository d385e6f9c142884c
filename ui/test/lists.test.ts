/** The small lists of the settings: patron groups, material types, note types and their kin, by keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  axeViolations,
  createStaff,
  type Library,
  openDesk,
  openLibrary,
  type Page,
  pressButton,
  row,
  signInAs,
  submitForm,
} from "./library.ts";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

interface Group {
  id: string;
  group: string;
  expirationOffsetInDays?: number;
}

const groups = async () => (await library.call<{ usergroups: Group[] }>("/groups?limit=100")).usergroups;

async function checkDeletionRefused(page: Page, says: string): Promise<void> {
  await pressButton(page, "Delete");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Delete" }).press("Enter");
  await dialog.getByText(says).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole("button", { name: "Cancel" }).press("Enter");
}

test("a patron group is made, and whoever joins it is registered for its time", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/patron-groups/new");
  await page.getByRole("textbox", { name: "Name" }).fill("Staff");
  assert.equal(await submitForm(page), 422);
  await page.getByText("This is taken: another one has it already.").first().waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Name" }).getAttribute("aria-invalid"), "true");
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("textbox", { name: "Name" }).fill("summer guests");
  await page.getByRole("textbox", { name: "Expiration date offset (days)" }).fill("30");
  assert.equal(await submitForm(page), 201);
  await page.waitForURL(/patron-groups\/[0-9a-f-]{36}$/);
  const made = (await groups()).find(({ group }) => group === "summer guests");
  assert.equal(made?.expirationOffsetInDays, 30);

  const query = encodeURIComponent('barcode=="27001000000445"');
  const { users } = await library.call<{ users: { id: string }[] }>(`/users?query=${query}`);
  await page.goto(`${library.address}/desk/patrons/${users[0]?.id}`);
  await page.getByRole("link", { name: "Edit", exact: true }).press("Enter");
  await page.getByRole("button", { name: /Group$/ }).press("Enter");
  await page.getByRole("option", { name: "summer guests" }).press("Enter");
  assert.equal(await submitForm(page), 204);
  await page.getByRole("link", { name: "Edit", exact: true }).waitFor();
  const user = await library.call<{ expirationDate: string }>(`/users/${users[0]?.id}`);
  const days = (Date.parse(user.expirationDate) - Date.now()) / 86_400_000;
  assert.ok(days > 29 && days <= 31, `registered for ${days} days`);

  await page.goto(`${library.address}/desk/settings/patron-groups/${made?.id}`);
  await page.getByText("The circulation rules do not use it.").waitFor();
  await checkDeletionRefused(page, "Patrons have it. Change them first.");
});

test("what the circulation rules name stays", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/patron-groups");
  await row(page, "faculty").getByText("of the rules").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("link", { name: "faculty" }).press("Enter");
  await page.getByText("The circulation rules refer to it").waitFor();
  assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0);
});

test("a type of note that copies have cannot be deleted; without them it can", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/item-note-types");
  await page.getByRole("link", { name: "Binding" }).press("Enter");
  await page.getByText("It did not come from this library").waitFor();
  assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  assert.deepEqual(await axeViolations(page), []);

  await page.getByRole("link", { name: "Make a copy" }).press("Enter");
  await page.getByRole("heading", { name: "New note type" }).waitFor();
  await page.getByRole("textbox", { name: "Name" }).fill("Torn pages");
  assert.equal(await submitForm(page), 201);
  await page.waitForURL(/item-note-types\/[0-9a-f-]{36}$/);
  const id = page.url().split("/").at(-1);
  const noteType = await library.call<{ source: string }>(`/item-note-types/${id}`);
  assert.equal(noteType.source, "local");
  const query = encodeURIComponent('barcode=="37001000000013"');
  const found = await library.call<{ items: { id: string }[] }>(`/item-storage/items?query=${query}`);
  const item = found.items[0];
  const notes = [{ itemNoteTypeId: id, note: "Page 7", staffOnly: true }];
  await library.call(`/item-storage/items/${item?.id}`, { ...item, notes }, "PUT");
  await checkDeletionRefused(page, "Items use it. Change them first.");

  const now = await library.call<object>(`/item-storage/items/${item?.id}`);
  await library.call(`/item-storage/items/${item?.id}`, { ...now, notes: [] }, "PUT");
  await pressButton(page, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await page.waitForURL(/item-note-types$/);
  await page.getByRole("link", { name: "Binding" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Torn pages" }).count(), 0);
});

test("the server's own words for what is in use are said in the library's", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/material-types");
  await page.getByRole("link", { name: "dvd", exact: true }).press("Enter");
  await page.getByRole("heading", { name: "dvd" }).waitFor();
  for (const [list, entry, says] of [
    ["address-types", "Home", "It is in use elsewhere"],
    ["campuses", /.*/, "Libraries belong to it. Change them first."],
    ["loan-types", "Can circulate", "Items use it. Change them first."],
  ] as const) {
    await page.goto(`${library.address}/desk/settings/${list}`);
    await page.locator("main li").getByRole("link", { name: entry }).first().press("Enter");
    await checkDeletionRefused(page, says);
  }
});

test("every list opens, in both languages", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings");
  const links = page.locator("main section").getByRole("link");
  await links.first().waitFor();
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  const lists = paths.filter((path) =>
    /type|status|source|format|mode|group|department|code|nature|link|campus/.test(path),
  );
  assert.ok(lists.length >= 25, lists.join(" "));
  for (const path of lists) {
    await page.goto(library.address + path);
    await page.getByRole("link", { name: /^New / }).waitFor();
    assert.deepEqual(await axeViolations(page), [], path);
  }
  await page.evaluate(() => {
    localStorage.setItem("octavo.preferences", JSON.stringify({ language: "de", theme: "light", sounds: false }));
  });
  await page.goto(`${library.address}/desk/settings/patron-groups`);
  await page.getByRole("heading", { name: "Lesergruppen" }).waitFor();
  await page.getByRole("link", { name: "Neue Lesergruppe" }).waitFor();
});

test("who may only read finds nothing to change", async () => {
  await createStaff(library, "reader", [
    "usergroups.collection.get",
    "usergroups.item.get",
    "inventory-storage.loan-types.item.put",
    "circulation.rules.get",
  ]);
  const [group] = await groups();
  const page = await library.visit();
  await signInAs(library, page, "reader", `/settings/patron-groups/${group?.id}`);
  await page.getByText("Your account may look at this, but not change it.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0);
  await page.goto(`${library.address}/desk/settings/material-types`);
  await page.getByText("Material types").first().waitFor();
  assert.equal(await page.getByRole("link", { name: "book" }).count(), 0);
});
