/** Profiles of imports: made, put together to a tree, copied, deleted, all in the browser and by keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chooseFrom, findIn, pressAt, tabTo, typeInto } from "./keyboard.ts";
import { axeViolations, type Library, openDesk, openLibrary, type Page } from "./library.ts";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const typeName = (page: Page, name: string) => typeInto(page.getByLabel("Name", { exact: true }), name);

/** Saves the form by its key, and waits for the page of the profile. */
async function save(page: Page): Promise<void> {
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/desk\/import\/profiles\/\w+\/[0-9a-f-]{36}$/);
}

test("a job profile is made of a match, actions and a mapping, and stays as it was put together", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/import/profiles/mappings/new");
  await typeName(page, "Items from 945");
  await chooseFrom(button(page, "FOLIO record type"), "Item");
  await typeInto(page.getByLabel("Barcode"), "945$i else");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Write ; else between two possibilities").first().waitFor();
  await typeInto(page.getByLabel("Barcode"), "945$i");
  await typeInto(page.getByLabel("Copy number"), '"1"');
  assert.deepEqual(await axeViolations(page), []);
  await save(page);

  await page.goto(`${library.address}/desk/import/profiles/actions/new`);
  await typeName(page, "Create items");
  await chooseFrom(button(page, "FOLIO record type"), "Item");
  await pressAt(button(page, "Choose a mapping profile"));
  await findIn(page.getByRole("dialog").getByLabel("Find a mapping profile").first(), "945", "Items from 945");
  await page.getByRole("link", { name: "Items from 945" }).waitFor();
  await save(page);
  await page.getByRole("link", { name: "Items from 945" }).waitFor();

  await page.goto(`${library.address}/desk/import/profiles/matches/new`);
  await typeName(page, "By HRID");
  await typeInto(page.getByRole("textbox", { name: "Field", exact: true }), "001");
  await chooseFrom(button(page, "UUID Field"), "HRID");
  await save(page);

  await page.goto(`${library.address}/desk/import/profiles/jobs/new`);
  await typeName(page, "Items of known titles");
  await pressAt(button(page, "Add a match: at the top"));
  await findIn(page.getByRole("dialog").getByRole("searchbox"), "HRID", "By HRID");
  await pressAt(button(page, "Add an action: If it matches (By HRID)"));
  await findIn(page.getByRole("dialog").getByRole("searchbox"), "items", "Create items");
  const matched = page.getByRole("region", { name: "If it matches: By HRID" });
  await matched.getByRole("link", { name: "Create items" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  // It is taken out and put back, and the focus stays where one goes on.
  await pressAt(button(page, "Take out Create items"));
  await matched.getByRole("link", { name: "Create items" }).waitFor({ state: "detached" });
  await pressAt(button(page, "Add an action: If it matches (By HRID)"));
  await findIn(page.getByRole("dialog").getByRole("searchbox"), "items", "Create items");
  await matched.getByRole("link", { name: "Create items" }).waitFor();
  await save(page);
  await matched.getByRole("link", { name: "Mapping: Items from 945" }).waitFor();
  await page.reload();
  await matched.getByRole("link", { name: "Create items" }).waitFor();

  await pressAt(page.getByRole("link", { name: "Copy" }));
  await page.getByRole("heading", { name: "New job profile" }).waitFor();
  await typeName(page, "Items of known titles");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Another profile has this name.").first().waitFor();
  await typeName(page, "A copy of it");
  await save(page);
  await matched.getByRole("link", { name: "Create items" }).waitFor();
  await pressAt(button(page, "Delete"));
  await pressAt(page.getByRole("dialog").getByRole("button", { name: "Delete" }));
  await tabTo(page.getByRole("link", { name: "Items of known titles" }));
  assert.equal(await page.getByRole("link", { name: "A copy of it" }).count(), 0);
});
