/** Profiles of imports: made, put together to a tree, copied, deleted, all in the browser and by keyboard. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { axe, enter, type Library, openLibrary } from "./library.ts";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("button", { name: label }).press("Enter");
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** Saves the form by its key, and waits for the page of the profile. */
async function save(page: Page): Promise<void> {
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/desk\/import\/profiles\/\w+\/[0-9a-f-]{36}$/);
}

test("a job profile is made of a match, actions and a mapping, and stays as it was put together", async () => {
  const page = await library.visit();
  await enter(library, page, "/check-in");
  await page.goto(`${library.address}/desk/import/profiles/mappings/new`);
  await page.getByLabel("Name", { exact: true }).fill("Items from 945");
  await choose(page, "What is filled", "Item");
  await page.getByLabel("Barcode").fill("945$i else");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Write ; else between two possibilities").first().waitFor();
  await page.getByLabel("Barcode").fill("945$i");
  await page.getByLabel("Copy number").fill('"1"');
  assert.deepEqual(await axe(page), []);
  await save(page);

  await page.goto(`${library.address}/desk/import/profiles/actions/new`);
  await page.getByLabel("Name", { exact: true }).fill("Create items");
  await choose(page, "What", "Item");
  await page.getByRole("button", { name: "Choose a mapping profile" }).press("Enter");
  await page.getByLabel("Find a mapping profile").first().fill("945");
  await page.getByRole("option", { name: "Items from 945" }).click();
  await save(page);
  await page.getByRole("link", { name: "Items from 945" }).waitFor();

  await page.goto(`${library.address}/desk/import/profiles/matches/new`);
  await page.getByLabel("Name", { exact: true }).fill("By HRID");
  await page.getByRole("textbox", { name: "Field", exact: true }).fill("001");
  await choose(page, "UUID Field", "HRID");
  await save(page);

  await page.goto(`${library.address}/desk/import/profiles/jobs/new`);
  await page.getByLabel("Name", { exact: true }).fill("Items of known titles");
  await page.getByRole("button", { name: "Add a match: at the top" }).press("Enter");
  await page.getByRole("option", { name: "By HRID" }).click();
  await page.getByRole("button", { name: "Add an action: If it matches (By HRID)" }).press("Enter");
  await page.getByRole("option", { name: "Create items" }).click();
  const matched = page.getByRole("region", { name: "If it matches: By HRID" });
  await matched.getByRole("link", { name: "Create items" }).waitFor();
  assert.deepEqual(await axe(page), []);
  await save(page);
  await matched.getByRole("link", { name: "Mapping: Items from 945" }).waitFor();
  await page.reload();
  await matched.getByRole("link", { name: "Create items" }).waitFor();

  await page.getByRole("link", { name: "Copy" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Items of known titles");
  await page.keyboard.press("Control+Enter");
  await page.getByText("Another profile has this name.").first().waitFor();
  await page.getByLabel("Name", { exact: true }).fill("A copy of it");
  await save(page);
  await matched.getByRole("link", { name: "Create items" }).waitFor();
  await page.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("link", { name: "Items of known titles" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "A copy of it" }).count(), 0);
});
