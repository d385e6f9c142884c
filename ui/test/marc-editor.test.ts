/** The MARC editor by keyboard. What quickMARC and the links answer is the test's; all else is the server's. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import { pressAt, tabTo, typeInto } from "./keyboard.ts";
import {
  axeViolations,
  enterDesk,
  type Library,
  openLibrary,
  type Page,
  waitForFocus,
  waitUntilEqual,
} from "./library.ts";
import { createTitle } from "./records.ts";

type Field = { tag: string; content: unknown; indicators?: string[]; [more: string]: unknown };

let library: Library;
let page: Page;
let id: string;
let authorityId: string;
/** What was sent by the last save. */
let sent: { leader: string; fields: Field[]; relatedRecordVersion?: string } | undefined;
/** How the next save is answered. */
let refuses: { status: number; json: object } | undefined;
let stored: ReturnType<typeof book>;

before(async () => {
  library = await openLibrary();
  page = await library.visit();
  await enterDesk(library, page, "/inventory");
  id = await createTitle(library, "Pudd'nhead Wilson");
  authorityId = randomUUID();
  await library.call("/authority-storage/authorities", {
    id: authorityId,
    source: "MARC",
    naturalId: "n79021164",
    personalName: "Twain, Mark, 1835-1910",
    sftPersonalName: ["Clemens, Samuel Langhorne, 1835-1910"],
  });
  await page.route(/\/records-editor\/records/, async (route) => {
    const request = route.request();
    if (request.method() === "GET")
      return route.fulfill({ json: request.url().includes(authorityId) ? twain() : stored });
    sent = request.postDataJSON();
    if (refuses) return route.fulfill(refuses);
    stored = { ...stored, fields: sent?.fields ?? [] };
    return route.fulfill({ status: 202 });
  });
  await page.route(/\/marc-specifications\//, (route) => route.fulfill({ json: SPECIFICATION }));
  await page.route(/\/linking-rules\/instance-authority/, (route) => route.fulfill({ json: RULES }));
  await page.route(/\/links\/authorities\/bulk\/count/, (route) =>
    route.fulfill({ json: { links: [{ id: authorityId, totalLinks: 3 }] } }),
  );
  await page.route(/\/links\/stats\/authority/, (route) => route.fulfill({ json: { stats: [] } }));
});
after(() => library?.close());

beforeEach(() => {
  stored = book();
  sent = undefined;
  refuses = undefined;
});

const field = (tag: string, content: unknown, indicators = ["\\", "\\"], more: object = {}): Field => ({
  tag,
  content,
  indicators,
  ...more,
});

const book = () => ({
  marcFormat: "BIBLIOGRAPHIC",
  leader: "01542nam\\a2200361\\a\\4500",
  parsedRecordId: randomUUID(),
  parsedRecordDtoId: randomUUID(),
  externalId: id,
  externalHrid: "in00000000017",
  updateInfo: { recordState: "ACTUAL", updateDate: "2026-11-27T10:00:00Z" },
  fields: [
    field("001", "in00000000017", []),
    field("008", { Type: "a", BLvl: "m", DtSt: "s", Date1: "1998", Lang: "eng", Ills: ["a", "\\"] }, []),
    field("100", "$a Twain, Mark, $e author.", ["1", "\\"]),
    field("245", "$a Pudd'nhead Wilson / $c Mark Twain.", ["1", "0"]),
    field("590", "$a A note of the library", undefined, { isProtected: true }),
  ],
});

const twain = () => ({
  ...book(),
  marcFormat: "AUTHORITY",
  leader: "00000nz\\\\a2200000n\\\\4500",
  externalId: authorityId,
  fields: [
    field("001", "n79021164", []),
    field("008", { "Geo Subd": "n" }, []),
    field("100", "$a Twain, Mark, $d 1835-1910", ["1", "\\"]),
  ],
});

const position = (code: string, length: number, codes = "", isArray = false) => ({
  code,
  name: `Name of ${code}`,
  length,
  isArray,
  readOnly: false,
  ...(codes && { allowedValues: [...codes].map((code) => ({ code, name: `value ${code}` })) }),
});

const SPECIFICATION = {
  spec: {
    types: [
      {
        code: "books",
        identifiedBy: { or: [{ tag: "LDR", positions: { 6: ["a"], 7: ["m"] } }] },
        items: [
          position("DtSt", 1, "st"),
          position("Date1", 4),
          position("Lang", 3),
          position("Ills", 2, "ab\\", true),
        ],
      },
      {
        code: "continuing_resources",
        identifiedBy: { or: [{ tag: "LDR", positions: { 6: ["a"], 7: ["s"] } }] },
        items: [position("DtSt", 1, "st"), position("Date1", 4), position("Lang", 3), position("Freq", 1, "am")],
      },
    ],
  },
};

const RULES = [{ id: 1, bibField: "100", authorityField: "100", authoritySubfields: ["a", "d"] }];

async function open(path = `/marc/bib/${id}`): Promise<void> {
  await page.goto(`${library.address}/desk${path}`);
  await page.getByRole("list", { name: "Fields" }).waitFor();
}

const text = (tag: string) => page.getByLabel(`Text of the field, ${tag}`);
const tags = () =>
  page.getByLabel(/^Tag, /).evaluateAll((inputs) => inputs.map((one) => (one as HTMLInputElement).value));

async function pressSave(): Promise<void> {
  await page.keyboard.press("Control+s");
  await page.getByText(/^Saved /).waitFor();
}

test("fields are added, moved, removed and saved by keys alone", async () => {
  await open();
  await text("245").focus();
  await page.keyboard.press("Enter");
  await waitForFocus(page, page.getByLabel("Tag, new"));
  await page.keyboard.type("5201");
  await waitForFocus(page, page.getByLabel("Second indicator, 520"));
  await page.keyboard.press("Tab");
  await waitForFocus(page, text("520"));
  await page.keyboard.press("End");
  await page.keyboard.type("A tale of two babies.");
  assert.deepEqual(await tags(), ["001", "008", "100", "245", "520", "590"]);
  await page.keyboard.press("Alt+ArrowUp");
  await waitUntilEqual(tags, ["001", "008", "100", "520", "245", "590"]);
  await waitForFocus(page, text("520"));
  await page.keyboard.press("Alt+ArrowDown");
  await text("100").focus();
  await page.keyboard.press("Control+Delete");
  await waitUntilEqual(tags, ["001", "008", "245", "520", "590"]);
  await page.keyboard.press("Control+Shift+Delete");
  await waitUntilEqual(tags, ["001", "008", "100", "245", "520", "590"]);
  await page.getByText("Not saved").waitFor();
  await pressSave();
  assert.deepEqual(sent?.fields[4], field("520", "$a A tale of two babies.", ["1", "\\"]));
  assert.equal(sent?.relatedRecordVersion, "1");
});

test("keys are listed, protected fields are locked until somebody unlocks them, and the page is accessible", async () => {
  await page.setViewportSize({ width: 1280, height: 1400 });
  await open();
  await page.keyboard.press("F1");
  await page.getByText("Add a field below").waitFor();
  assert.equal(await text("001").getAttribute("readonly"), "");
  assert.equal(await text("590").getAttribute("readonly"), "");
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Unlock" }).press("Enter");
  await text("590").fill("$a Another note");
  await pressSave();
  assert.equal(sent?.fields[4]?.content, "$a Another note");
  await page.setViewportSize({ width: 1280, height: 800 });
});

test("positions are chosen by their names, and follow the leader", async () => {
  await open();
  for (const [position, code] of [
    ["Name of Ills, 2", "b"],
    ["Bibliographic level", "s"],
    ["Name of Freq", "m"],
  ] as const) {
    const list = page.getByLabel(position);
    await tabTo(list);
    // Its lines begin with their code.
    await page.keyboard.type(code);
    await waitUntilEqual(() => list.inputValue(), code);
  }
  await pressSave();
  assert.equal(sent?.leader, "01542nas\\a2200361\\a\\4500");
  const items = { Type: "a", BLvl: "s", DtSt: "s", Date1: "1998", Lang: "eng", Freq: "m" };
  assert.deepEqual(sent?.fields[1]?.content, items);
});

test("what is wrong is said at the field, and keeps the record from being sent", async () => {
  await open();
  await text("245").fill("Pudd'nhead Wilson");
  await page.getByText("stands before the first subfield").waitFor();
  await page.keyboard.press("Control+s");
  await page.getByText("Not saved yet: correct the marked fields").waitFor();
  await waitForFocus(page, text("245"));
  assert.equal(sent, undefined);
  await text("245").fill("$a Pudd'nhead Wilson");
  refuses = { status: 422, json: { message: "Is unique tag", type: "-1", parameters: [{ key: "245" }] } };
  await page.keyboard.press("Control+s");
  await page
    .getByRole("listitem")
    .filter({ has: text("245") })
    .getByText("There may be one field of this tag only.")
    .waitFor();
});

test("whoever leaves is asked; when others have saved meanwhile, both records are shown", async () => {
  await open();
  await text("245").fill("$a My title");
  await page.keyboard.press("Alt+o");
  await page.getByRole("dialog").getByRole("button").nth(1).press("Enter");
  await text("245").waitFor();
  refuses = { status: 409, json: { message: "Cannot update record 1 because it has been changed" } };
  stored = { ...stored, fields: stored.fields.with(3, field("245", "$a Their title", ["1", "0"])) };
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("$a Their title").waitFor();
  assert.equal(await dialog.locator("mark").count(), 2);
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole("button", { name: /^Discard my changes/ }).press("Enter");
  await waitUntilEqual(() => text("245").inputValue(), "$a Their title");
});

test("a heading is linked to an authority, shows it, and is unlinked", async () => {
  await open();
  await text("100").focus();
  await page.keyboard.press("F9");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Twain, Mark, 1835-1910").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole("button", { name: "Link", exact: true }).press("Enter");
  await page.getByText("$a Twain, Mark, $d 1835-1910").waitFor();
  await waitUntilEqual(
    () => page.getByLabel("Subfields not controlled by the authority, 100").inputValue(),
    "$e author.",
  );
  await pressSave();
  const link = { authorityId, authorityNaturalId: "n79021164", linkingRuleId: 1, status: "NEW" };
  assert.deepEqual(sent?.fields[2], {
    ...field("100", `$a Twain, Mark, $d 1835-1910 $e author. $0 n79021164 $9 ${authorityId}`, ["1", "\\"]),
    linkDetails: link,
  });
  await page.getByRole("button", { name: "Unlink" }).press("Enter");
  await waitUntilEqual(() => text("100").inputValue(), "$a Twain, Mark, $d 1835-1910 $e author. $0 n79021164");
});

test("before an authority's heading is changed, it is said what follows", async () => {
  await open(`/marc/authority/${authorityId}`);
  await text("100").fill("$a Clemens, Samuel, $d 1835-1910");
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("3 titles are linked to this authority.").waitFor();
  await dialog.getByText("Clemens, Samuel, 1835-1910").waitFor();
  assert.equal(sent, undefined);
  await dialog.getByRole("button", { name: "Save and change them" }).press("Enter");
  await waitUntilEqual(async () => sent?.fields[2]?.content, "$a Clemens, Samuel, $d 1835-1910");
});

test("authorities are found by a heading that refers to them, and their record is shown", async () => {
  await page.goto(`${library.address}/desk/authorities`);
  await typeInto(page.getByLabel("Heading or number"), "clemens");
  await page.getByText("No authority fits.").waitFor();
  await pressAt(page.getByRole("checkbox", { name: "Include see and see also references" }), "Space");
  const found = page.getByRole("grid", { name: "Authorities" });
  await found.getByText("See heading").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await found.locator("tr[data-active]", { hasText: "Clemens" }).waitFor();
  await pressAt(found);
  await page.getByRole("heading", { level: 1, name: "Twain, Mark, 1835-1910" }).waitFor();
  await page.getByRole("heading", { name: "3 linked titles" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByRole("dialog").getByText("3 titles are linked to it.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByLabel("Heading or number").waitFor();
});

test("the stored record is shown to read, and can be copied and printed", async () => {
  const subfields = [{ a: "Costs $5 /" }, { c: "Mark Twain." }];
  const content = {
    leader: "01542nam a2200361 a 4500",
    fields: [{ "001": "in17" }, { "245": { ind1: "1", ind2: "0", subfields } }],
  };
  await page.route(/\/source-storage\/records\/.*\/formatted\?idType=INSTANCE/, (route) =>
    route.fulfill({ json: { parsedRecord: { content }, metadata: { updatedDate: "2026-11-27T10:00:00Z" } } }),
  );
  await page.goto(`${library.address}/desk/marc/bib/${id}/view`);
  await page.getByRole("row", { name: "245 10 $a Costs $5 / $c Mark Twain." }).waitFor();
  await page.getByRole("button", { name: "Print" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("link", { name: "Edit" }).press("Enter");
  await text("245").waitFor();
});
