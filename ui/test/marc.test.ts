/**
 * A cataloguer's work from a blank record to a heading that is changed in all titles, with the server's own quickMARC.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axeViolations, enterDesk, type Library, openLibrary, type Page, waitUntilEqual } from "./library.ts";

interface Marc {
  fields: { tag: string; content: unknown; indicators: string[]; linkDetails?: { authorityId: string } }[];
}

let library: Library;
let page: Page;
before(async () => {
  library = await openLibrary();
  page = await library.visit({ width: 1280, height: 1400 });
  await enterDesk(library, page, "/inventory");
});
after(() => library?.close());

const text = (tag: string) => page.getByLabel(`Text of the field, ${tag}`);
const loadMarc = (id: string) => library.call<Marc>(`/records-editor/records?externalId=${id}`);
const loadMarcField = async (id: string, tag: string) => (await loadMarc(id)).fields.find((field) => field.tag === tag);
const lastOfAddress = () => new URL(page.url()).pathname.split("/").at(-1) ?? "";

async function open(path: string): Promise<void> {
  await page.goto(`${library.address}/desk${path}`);
  await page.getByRole("list", { name: "Fields" }).waitFor();
}

/** Below the row that has the focus. */
async function addField(tag: string, content: string): Promise<void> {
  await page.keyboard.press("Enter");
  await page.getByLabel("Tag, new").fill(tag);
  await text(tag).fill(content);
}

let authorityId: string;
let titleId: string;

test("an authority and a title are made, linked by the number of the authority, and found under each other", async () => {
  await open("/marc/authority/new");
  await text("001").fill("n79021164");
  await text("100").fill("$a Twain, Mark, $d 1835-1910");
  await page.getByLabel("Tag, 100").focus();
  await addField("400", "$a Clemens, Samuel Langhorne, $d 1835-1910");
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.press("Control+s");
  await page.getByRole("heading", { level: 1, name: "Twain, Mark, 1835-1910" }).waitFor();
  authorityId = lastOfAddress();
  await page.getByText("Clemens, Samuel Langhorne").waitFor();

  await open("/marc/bib/new");
  await page
    .getByLabel("Name of Lang")
    .or(page.getByLabel("Language", { exact: true }))
    .fill("eng");
  await text("245").fill("$a Pudd'nhead Wilson / $c Mark Twain.");
  await text("245").focus();
  await addField("100", "$a Twain, M. $e author $0 n79021164");
  await page.getByRole("button", { name: "Link headings automatically" }).press("Enter");
  await page.getByText("One heading").or(page.getByText("1 heading has been linked")).waitFor();
  await page.getByText("$a Twain, Mark, $d 1835-1910").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByRole("heading", { level: 1, name: /^Pudd'nhead Wilson/ }).waitFor();
  titleId = lastOfAddress();
  assert.equal((await loadMarcField(titleId, "100"))?.linkDetails?.authorityId, authorityId);
});

test("the title's record is opened from its page, changed, and the title follows", async () => {
  await page.getByRole("link", { name: "Edit MARC" }).press("Enter");
  await text("245").fill("$a Pudd'nhead Wilson : $b a tale / $c Mark Twain.");
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.press("Control+s");
  await page.getByText(/^Saved /).waitFor();
  const { title } = await library.call<{ title: string }>(`/inventory/instances/${titleId}`);
  assert.match(title, /a tale/);
  // The next save has the version of the last one.
  await text("245").fill("$a Pudd'nhead Wilson : $b a story / $c Mark Twain.");
  await page.keyboard.press("Control+s");
  await waitUntilEqual(
    async () => (await loadMarcField(titleId, "245"))?.content,
    "$a Pudd'nhead Wilson : $b a story / $c Mark Twain.",
  );
});

test("a record that somebody else has saved meanwhile is not overwritten unseen", async () => {
  await open(`/marc/bib/${titleId}`);
  await text("245").fill("$a Mine");
  const other = await loadMarc(titleId);
  const { _version } = await library.call<{ _version: number }>(`/inventory/instances/${titleId}`);
  const fields = other.fields.map((field) => (field.tag === "245" ? { ...field, content: "$a Theirs" } : field));
  const { parsedRecordId } = other as unknown as { parsedRecordId: string };
  await library.call(
    `/records-editor/records/${parsedRecordId}`,
    { ...other, fields, relatedRecordVersion: String(_version) },
    "PUT",
  );
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("$a Theirs").waitFor();
  await dialog.getByRole("button", { name: /^Keep my version/ }).press("Enter");
  await page.keyboard.press("Control+s");
  await page.getByText(/^Saved /).waitFor();
  assert.equal((await loadMarcField(titleId, "245"))?.content, "$a Mine");
});

test("a changed heading says what follows, goes through the titles, and tells how far it is", async () => {
  await open(`/marc/authority/${authorityId}`);
  await text("100").fill("$a Clemens, Samuel, $d 1835-1910");
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1 title is linked to this authority.").waitFor();
  await dialog.getByRole("button", { name: "Save and change them" }).press("Enter");
  await page.getByText(/^Saved /).waitFor();
  await waitUntilEqual(
    async () => String((await loadMarcField(titleId, "100"))?.content).includes("Clemens, Samuel"),
    true,
  );
  await page.goto(`${library.address}/desk/authorities/${authorityId}`);
  await page.getByText("1 of 1 title done").waitFor();
  await page.getByRole("link", { name: "Mine" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("what the server refuses stands at the field", async () => {
  await open(`/marc/bib/${titleId}`);
  await page.getByLabel("Start date").fill("19");
  await page.getByText("has too few or too many characters").waitFor();
  await page.getByLabel("Start date").fill("1999");
  await page.keyboard.press("Control+s");
  await page.getByText(/^Saved /).waitFor();
});

test("holdings get a MARC record at a location that is chosen by name, and a title is derived from another", async () => {
  await open(`/marc/holdings/new?instance=${titleId}`);
  await page.getByRole("button", { name: "Location" }).press("Enter");
  await page.getByRole("option", { name: "Harbour: Fiction" }).press("Enter");
  await waitUntilEqual(async () => (await text("852").inputValue()).length > 3, true);
  await page.keyboard.press("Control+s");
  await page.getByRole("heading", { name: /^Harbour: Fiction/ }).waitFor();
  await page.getByRole("button", { name: /^More.*Harbour/ }).press("Enter");
  await page.getByRole("menuitem", { name: "Edit MARC" }).press("Enter");
  await text("852").waitFor();
  await text("852").press("End");
  await page.keyboard.type(" $h PS1317");
  await page.keyboard.press("Control+s");
  await page.getByText(/^Saved /).waitFor();

  await open(`/marc/bib/new?from=${titleId}`);
  await text("245").fill("$a A derived title");
  await page.keyboard.press("Control+s");
  await page.getByRole("heading", { level: 1, name: "A derived title" }).waitFor();
});

test("an authority that is deleted leaves the headings of its titles as they are", async () => {
  await page.goto(`${library.address}/desk/authorities/${authorityId}`);
  await page.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByLabel("Heading or number").waitFor();
  await waitUntilEqual(async () => (await loadMarcField(titleId, "100"))?.linkDetails, undefined);
  assert.match(String((await loadMarcField(titleId, "100"))?.content), /Clemens/);
});
