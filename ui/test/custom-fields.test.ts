/** Custom fields of patrons: their settings, the form and the page of a patron, by keyboard alone. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
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
  waitUntilEqual,
} from "./library.ts";

const FACULTY = "503a81cd-6c26-400f-b620-14c08943697c";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

interface Field {
  id: string;
  name: string;
  refId: string;
}

const createField = (name: string, part: object = {}) =>
  library.call<Field>("/custom-fields", { name, type: "TEXTBOX_SHORT", entityType: "user", ...part });

const choiceField = (multiSelect: boolean, ...values: string[]) => ({
  type: multiSelect ? "MULTI_SELECT_DROPDOWN" : "SINGLE_SELECT_DROPDOWN",
  selectField: { multiSelect, options: { values: values.map((value) => ({ value })) } },
});

const findField = async (name: string) => {
  const { customFields } = await library.call<{ customFields: Field[] }>("/custom-fields?limit=200");
  return customFields.find((field) => field.name === name);
};

async function createPatron(lastName: string, customFields: object = {}): Promise<string> {
  const id = randomUUID();
  const personal = { lastName, email: "x@example.org", preferredContactTypeId: "002" };
  await library.call("/users", { id, active: true, type: "patron", patronGroup: FACULTY, personal, customFields });
  return id;
}

const valuesOf = async (id: string) => (await library.call<{ customFields?: object }>(`/users/${id}`)).customFields;

async function choose(page: Page, label: string | RegExp, option: string): Promise<void> {
  await page.getByRole("button", { name: label }).press("Enter");
  await page.getByRole("option", { name: option, exact: true }).press("Enter");
}

test("a field with options is made, and the form of a patron asks for it", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/custom-fields/new");
  await page.getByRole("textbox", { name: "Name" }).fill("School of the child");
  await choose(page, /Field type/, "One of a list");
  await page.getByRole("checkbox", { name: "Must be filled in" }).press("Space");
  assert.equal(await submitForm(page), 422);
  await page.getByText("There must be one option at least, and at most 200.").first().waitFor();
  for (const [index, school] of ["Harbour school", "Hill school"].entries()) {
    await pressButton(page, "Add an option");
    await page
      .getByRole("group", { name: `Option ${index + 1}` })
      .getByRole("textbox")
      .fill(school);
  }
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await submitForm(page), 201);
  await page.getByRole("heading", { name: "School of the child" }).waitFor();

  const id = await createPatron("Schoolgirl");
  await page.goto(`${library.address}/desk/patrons/${id}/edit`);
  await page.getByRole("heading", { name: "Further information" }).waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
  // The required one is asked for at the field, and nothing is sent.
  await page.locator("[data-invalid]").filter({ hasText: "School of the child" }).first().waitFor();
  await choose(page, /School of the child/, "Hill school");
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await submitForm(page), 204);
  await page.getByRole("definition").filter({ hasText: "Hill school" }).waitFor();
  assert.deepEqual(await valuesOf(id), { schoolOfTheChild: "opt_2" });
  assert.deepEqual(await axeViolations(page), []);
  // The other tests register patrons without one.
  const school = await findField("School of the child");
  await library.call(`/custom-fields/${school?.id}`, undefined, "DELETE");
});

test("what the server refuses of a value is said at its field, and nothing typed is lost", async () => {
  await createField("Homepage", { textField: { fieldFormat: "URL" } });
  await createField("Likes", choiceField(true, "Films", "Music"));
  const id = await createPatron("Typist");
  const page = await library.visit();
  await openDesk(library, page, `/patrons/${id}/edit`);
  await page.getByRole("textbox", { name: "Homepage" }).fill("http://localhost");
  await page.getByRole("checkbox", { name: "Music" }).press("Space");
  assert.equal(await submitForm(page), 422);
  await page.getByText("This is no address of a web page").first().waitFor();
  await waitUntilEqual(() => page.getByRole("checkbox", { name: "Music" }).isChecked(), true);
  await page.getByRole("textbox", { name: "Homepage" }).fill("https://example.org");
  assert.equal(await submitForm(page), 204);
  await page.getByRole("link", { name: "https://example.org" }).waitFor();
  assert.deepEqual(await valuesOf(id), { homepage: "https://example.org", likes: ["opt_2"] });
});

test("fields change places, and the form follows", async () => {
  await createField("First aid");
  await createField("Last wish");
  const page = await library.visit();
  await openDesk(library, page, "/settings/custom-fields");
  await row(page, "Last wish").waitFor();
  assert.equal(await submitForm(page, "Move up: Last wish"), 204);
  const order = () => page.locator("ol.rows a").allTextContents();
  await page.getByText("Last wish is now number").first().waitFor();
  await page.waitForFunction(() => {
    const names = [...document.querySelectorAll("ol.rows a")].map((link) => link.textContent);
    return names.indexOf("Last wish") < names.indexOf("First aid");
  });
  assert.deepEqual(await axeViolations(page), []);
  const { customFields } = await library.call<{ customFields: Field[] }>("/custom-fields?limit=200");
  assert.deepEqual(
    customFields.map(({ name }) => name),
    await order(),
  );
});

test("before a field or an option goes, it is said how many patrons have it", async () => {
  const pets = await createField("Pets", choiceField(true, "Cat", "Dog"));
  const ids = [
    await createPatron("Cat lover", { pets: ["opt_1", "opt_2"] }),
    await createPatron("Dog lover", { pets: ["opt_2"] }),
  ];
  const page = await library.visit();
  await openDesk(library, page, `/settings/custom-fields/${pets.id}`);
  await page.getByRole("button", { name: "Take out: Option 1" }).press("Enter");
  await page.getByText("“Cat” goes when you save. 1 patron has it").waitFor();
  assert.equal(await submitForm(page), 204);
  await page.getByText("Saved.").first().waitFor();
  assert.deepEqual(await valuesOf(ids[0] ?? ""), { pets: "opt_2" });
  await page.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByText("2 patrons have a value in it.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("heading", { name: "Custom fields of patrons" }).waitFor();
  assert.equal(await findField("Pets"), undefined);
  assert.deepEqual(await valuesOf(ids[1] ?? ""), {});
});

test("whoever may not see the fields has none of them, and changes none of their values", async () => {
  const rumour = await createField("Rumour");
  // Nobody else is called so: the form would ask whether it is them.
  const name = `Quiet ${randomUUID().slice(0, 8)}`;
  const id = await createPatron(name, { rumour: "none" });
  const may = ["users.collection.get", "users.item.get", "users.item.put", "usergroups.collection.get"];
  const clerk = `clerk-${randomUUID().slice(0, 8)}`;
  await createStaff(library, clerk, may);
  const page = await library.visit();
  await signInAs(library, page, clerk, `/patrons/${id}/edit`);
  await page.getByRole("textbox", { name: "First name", exact: true }).fill("Ann");
  assert.equal(await page.getByText("Rumour").count(), 0);
  assert.equal(await submitForm(page), 204);
  await page.getByRole("heading", { name: `Ann ${name}` }).waitFor();
  assert.deepEqual(await valuesOf(id), { rumour: "none" });
  await library.call(`/custom-fields/${rumour.id}`, undefined, "DELETE");
});

test("a template for blocks is written, and fills in a block", async () => {
  const [id, template] = [await createPatron("Blocked"), `Card lost ${randomUUID().slice(0, 8)}`];
  const page = await library.visit();
  await openDesk(library, page, "/settings/block-templates/new");
  await page.getByRole("textbox", { name: "Name" }).fill(template);
  await page.getByRole("textbox", { name: "What it is for" }).fill("The card was reported lost");
  await page.getByRole("checkbox", { name: "Renewals" }).press("Space");
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await submitForm(page), 201);
  await page.getByRole("heading", { name: template }).waitFor();

  await page.goto(`${library.address}/desk/patrons/${id}?show=blocks`);
  await pressButton(page, "Add a block");
  await choose(page, /Fill in from a template/, template);
  const why = page.getByRole("dialog").getByRole("textbox").first();
  await waitUntilEqual(() => why.inputValue(), "The card was reported lost");
  assert.equal(await submitForm(page), 201);
  await row(page, "The card was reported lost").waitFor();
  const query = encodeURIComponent(`userId==${id}`);
  const { manualblocks } = await library.call<{ manualblocks: { renewals: boolean; requests: boolean }[] }>(
    `/manualblocks?query=${query}`,
  );
  assert.deepEqual([manualblocks[0]?.renewals, manualblocks[0]?.requests], [false, true]);
});
