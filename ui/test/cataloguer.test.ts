/** A cataloguer's way from a vendor's files to an edited record whose heading follows an authority. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { findIn } from "./keyboard.ts";
import { axeViolations, enterDesk, type Library, openLibrary, type Page, takeShot, waitUntilEqual } from "./library.ts";
import { marcRecord } from "./records.ts";

let library: Library;
let page: Page;
before(async () => {
  library = await openLibrary();
  page = await library.visit({ width: 1280, height: 900 });
  await enterDesk(library, page, "/inventory");
});
after(() => library?.close());

const PEOPLE = Buffer.concat([
  marcRecord(
    "z ",
    "001 n78095332",
    "008 800723n| azannaabn          |a aaa      ",
    "010   $an 78095332",
    "100 1 $aDefoe, Daniel,$d1661?-1731",
    "400 1 $aFoe, Daniel",
  ),
]);

const BOOKS = Buffer.concat([
  marcRecord(
    "am",
    "001 ven0001",
    "003 VEND",
    "008 980211s1998    enka     b    001 1 eng d",
    "020   $a9780140431629",
    "100 1 $aDefoe, Daniel.",
    "245 12$aA Cruising voyage round the world /$cDaniel Defoe.",
    "260   $aLondon :$bHarbour Press,$c1998.",
    "300   $a310 p.",
    "650  0$aVoyages around the world.",
  ),
  Buffer.from("00045nam a2200037 a 4500damaged on its way\x1d"),
]);

const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();
const press = (name: string | RegExp) => page.getByRole("button", { name }).first().press("Enter");
const text = (tag: string) => page.getByLabel(`Text of the field, ${tag}`);

/** Lets a file fall on the page. */
async function uploadImportFile(name: string, bytes: Buffer): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([name, base64]) => {
      const held = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
      held.items.add(new File([bytes], name, { type: "application/marc" }));
      return held;
    },
    [name, bytes.toString("base64")] as const,
  );
  await page.getByText("Drop files here").dispatchEvent("drop", { dataTransfer });
  await page.getByRole("list", { name: "Files to import" }).getByText(name).waitFor();
}

const chooseProfile = (profile: string) => findIn(page.getByLabel("Job profile").first(), profile, profile);

let title: string;

test("a file of authorities that is dropped on the page is imported, and its log leads to the authority", async () => {
  await page.goto(`${library.address}/desk/import`);
  await uploadImportFile("people.mrc", PEOPLE);
  await chooseProfile("Default - Create SRS MARC Authority");
  await press("Start import");
  await heading("people.mrc");
  await page.getByRole("link", { name: /^Authority/ }).press("Enter");
  await heading("Defoe, Daniel, 1661?-1731");
});

test("a vendor's file is tried, then imported, and its log says what was wrong and leads to the new title", async () => {
  await page.goto(`${library.address}/desk/import`);
  await uploadImportFile("vendor.mrc", BOOKS);
  await chooseProfile("Default - Create instance and SRS MARC Bib");
  await takeShot(page, "1-import");
  await press("Trial run");
  await page.getByText("This is a trial").waitFor();
  await page.getByText("would be created").first().waitFor();
  await takeShot(page, "2-trial");
  assert.deepEqual(await axeViolations(page), []);
  await press("Run the import");
  await page.getByText("This is a trial").waitFor({ state: "detached" });
  const link = page.getByRole("link", { name: /^Instance in/ });
  await link.waitFor();
  await page.getByText("Completed with errors").waitFor();
  await takeShot(page, "3-log");
  assert.deepEqual(await axeViolations(page), []);
  await link.press("Enter");
  await heading(/^A Cruising voyage/);
  title = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await takeShot(page, "4-title");
});

test("its record is edited, and its author follows the authority", async () => {
  await page.getByRole("link", { name: "Edit MARC" }).press("Enter");
  await text("245").fill("$a A cruising voyage round the world / $c Daniel Defoe.");
  await takeShot(page, "5-editor");
  await text("100").focus();
  await page.keyboard.press("F9");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Defoe, Daniel, 1661?-1731").waitFor();
  await takeShot(page, "6-link");
  await dialog.getByRole("button", { name: "Link" }).press("Enter");
  await page.getByText("Linked to an authority").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText(/^Saved /).waitFor();
  await takeShot(page, "7-linked");
  assert.deepEqual(await axeViolations(page), []);
});

test("the authority's heading is changed after a look at what follows, and the title has it", async () => {
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Linked to an authority" }).press("Enter");
  page = await opened;
  await heading("Defoe, Daniel, 1661?-1731");
  await takeShot(page, "8-authority");
  await page.getByRole("link", { name: "Edit", exact: true }).press("Enter");
  await text("100").fill("$a Defoe, Daniel, $d 1660-1731");
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1 title is linked to this authority.").waitFor();
  await dialog.getByText("A cruising voyage").waitFor();
  await takeShot(page, "9-change");
  await dialog.getByRole("button", { name: "Save and change them" }).press("Enter");
  await page.getByText(/^Saved /).waitFor();
  await waitUntilEqual(async () => {
    const instance = await library.call<{ contributors: { name: string }[] }>(`/inventory/instances/${title}`);
    return instance.contributors[0]?.name;
  }, "Defoe, Daniel, 1660-1731");
  await page.goto(`${library.address}/desk/inventory/${title}`);
  await page.getByText("Defoe, Daniel, 1660-1731").first().waitFor();
});
