/** Imports: fields are protected, and files are sent to be imported. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axe, enter, type Library, openLibrary } from "./library.ts";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

test("a field is protected from imports", async () => {
  const page = await library.visit();
  await enter(library, page, "/check-in");
  await page.goto(`${library.address}/desk/import/profiles/protection`);
  await page.getByRole("button", { name: "Protect a field" }).press("Enter");
  await page.getByLabel("Field", { exact: true }).fill("590");
  await page.keyboard.press("Enter");
  await page.getByRole("rowheader", { name: /590/ }).waitFor();
  assert.deepEqual(await axe(page), []);
});

test("a file is sent with the job profile that was chosen", async () => {
  const page = await library.visit();
  await enter(library, page, "/check-in");
  await page.goto(`${library.address}/desk/import`);
  await page.getByRole("button", { name: "Start import" }).press("Enter");
  await page.getByText("Choose a file first.").waitFor();
  const files = [{ name: "vendor.mrc", mimeType: "application/marc", buffer: Buffer.from("no MARC") }];
  await page.locator("input[type=file]").setInputFiles(files);
  await page.getByLabel("Job profile").first().fill("Default - Create instance");
  await page.getByRole("option", { name: /Default - Create instance and SRS MARC Bib/ }).click();
  assert.deepEqual(await axe(page), []);
  const sent = page.waitForResponse((response) => /\/files\/[0-9a-f-]+$/.test(response.url()));
  await page.getByRole("button", { name: "Start import" }).press("Enter");
  assert.equal((await sent).status(), 200);
});

test("a file is imported, and the log leads to the new title", async () => {
  const page = await library.visit();
  await enter(library, page, "/check-in");
  await page.goto(`${library.address}/desk/import`);
  const field = (tag: string, text: string) => ({ [tag]: { ind1: "1", ind2: "0", subfields: [{ a: text }] } });
  const record = {
    leader: "00000nam a2200000 i 4500",
    fields: [{ "001": "v1" }, field("245", "Tides of the inner harbour")],
  };
  const files = [{ name: "vendor.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify([record])) }];
  await page.locator("input[type=file]").setInputFiles(files.map((file) => ({ ...file, name: "vendor.mrc" })));
  await page.getByLabel("Job profile").first().fill("Default - Create instance");
  await page.getByRole("option", { name: /Default - Create instance and SRS MARC Bib/ }).click();
  const job = page.waitForResponse((response) => response.url().endsWith("/processFiles"));
  await page.getByRole("button", { name: "Start import" }).press("Enter");
  assert.equal((await job).status(), 204);
  await page
    .getByRole("link", { name: /vendor\.mrc/ })
    .first()
    .click();
  await page.getByText("Tides of the inner harbour").first().waitFor();
  if (process.env.OCTAVO_SHOT) await page.screenshot({ path: process.env.OCTAVO_SHOT, fullPage: true });
  assert.deepEqual(await axe(page), []);
});
