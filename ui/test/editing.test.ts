/** Titles and holdings, changed at the desk by keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  axeViolations,
  enterDesk,
  type Library,
  openDesk,
  openLibrary,
  type Page,
  pressButton,
  waitForFocus,
  waitUntilEqual,
} from "./library.ts";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

interface Title {
  id: string;
  title: string;
  contributors: { name: string }[];
  identifiers: { value: string }[];
  publication: { publisher?: string }[];
  languages: string[];
  discoverySuppress: boolean;
  _version: number;
}

async function loadTitle(title: string): Promise<Title> {
  const query = encodeURIComponent(`title=="${title}"`);
  const { instances } = await library.call<{ instances: Title[] }>(`/inventory/instances?query=${query}`);
  const [found] = instances;
  assert.ok(found, title);
  return found;
}

/** On the page of a title. */
async function open(title: string): Promise<Page> {
  const { id } = await loadTitle(title);
  const page = await library.visit();
  await openDesk(library, page, `/inventory/${id}`);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  return page;
}

const follow = (page: Page, name: string | RegExp) => page.getByRole("link", { name }).first().press("Enter");
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const pressSave = (page: Page) => page.getByRole("button", { name: "Save" }).press("Enter");

test("a title gets another name, a second author and a number, and is hidden from patrons", async () => {
  const page = await open("Beloved");
  await follow(page, "Edit title");
  await waitForFocus(page, field(page, "Title"));
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Beloved, a novel");
  await pressButton(page, "Add a contributor");
  await field(page, "Name").last().fill("Hanif, Someone");
  await pressButton(page, "Add an identifier");
  await field(page, "Value").last().fill("9780099760115");
  await pressButton(page, "Remove: Publication 1");
  // Left empty: it is not kept.
  await pressButton(page, "Add a publication");
  await page.getByText("Suppressed from discovery").press("Space");
  assert.deepEqual(await axeViolations(page), []);
  await pressSave(page);
  await page.getByRole("heading", { level: 1, name: "Beloved, a novel" }).waitFor();
  await page.getByText("Suppressed from discovery").first().waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const stored = await loadTitle("Beloved, a novel");
  assert.deepEqual(
    stored.contributors.map(({ name }) => name),
    ["Morrison, Toni", "Hanif, Someone"],
  );
  assert.ok(stored.identifiers.some(({ value }) => value === "9780099760115"));
  assert.deepEqual(stored.publication, []);
  assert.deepEqual(stored.languages, ["eng"]);
  assert.equal(stored.discoverySuppress, true);
});

test("what somebody else has changed meanwhile is said and kept", async () => {
  const page = await open("Pride and prejudice");
  await follow(page, "Edit title");
  await waitForFocus(page, field(page, "Title"));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Pride & prejudice");

  const change = async (part: Partial<Title>) => {
    const stored = await library.call<Title>(`/inventory/instances/${id}`);
    await library.call(`/inventory/instances/${id}`, { ...stored, ...part }, "PUT");
  };
  const { id } = await loadTitle("Pride and prejudice");
  await change({ languages: ["eng", "fre"] });
  await pressSave(page);
  await page.getByText("Somebody else has changed this meanwhile, but nothing that you did.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await waitUntilEqual(() => field(page, "Languages").inputValue(), "eng fre");
  await change({ title: "Stolz und Vorurteil" });
  await pressSave(page);
  await page.getByText("Title among it").waitFor();
  await pressSave(page);
  await page.getByRole("heading", { level: 1, name: "Pride & prejudice" }).waitFor();
  assert.deepEqual((await loadTitle("Pride & prejudice")).languages, ["eng", "fre"]);
});

test("whoever leaves a form that is not saved is asked first", async () => {
  const page = await open("Middlemarch");
  await follow(page, "Edit title");
  await waitForFocus(page, field(page, "Title"));
  await page.keyboard.press("End");
  await page.keyboard.type(", a study");
  await follow(page, "Cancel");
  await pressButton(page, "Stay here");
  await waitUntilEqual(() => field(page, "Title").inputValue(), "Middlemarch, a study");
  await page.goBack();
  await pressButton(page, "Leave without saving");
  await page.getByRole("heading", { level: 1, name: "Middlemarch", exact: true }).waitFor();
});

test("holdings move to another shelf, with a note", async () => {
  const page = await open("Pride & prejudice");
  await follow(page, /^Edit holdings: /);
  await page.getByRole("button", { name: /Permanent location/ }).press("Enter");
  await page.getByRole("option", { name: "Harbour: Children" }).press("Enter");
  await field(page, "Call number").fill("PR4034 .P7 2026");
  await pressButton(page, "Add a note");
  await field(page, "Note").fill("Bound anew");
  assert.deepEqual(await axeViolations(page), []);
  await pressSave(page);
  await page.getByRole("heading", { name: "Harbour: Children PR4034 .P7 2026" }).waitFor();
  await page.getByText("Bound anew").waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("the forms fit on a phone", async () => {
  const { id } = await loadTitle("Beloved, a novel");
  const page = await library.visit({ width: 375, height: 740 });
  await enterDesk(library, page);
  for (const name of ["Edit title", /^Edit holdings: Harbour: Fiction/, /^Add copies: Harbour: Fiction/]) {
    await page.goto(`${library.address}/desk/inventory/${id}`);
    await follow(page, name);
    await page.getByRole("button", { name: "Save" }).waitFor();
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(over <= 0, `${name} is ${over} pixels too wide`);
  }
});
