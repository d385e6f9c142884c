/** Titles and holdings, changed at the desk by keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axe, enter, focused, type Library, openLibrary, type Page, press } from "./library.ts";

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

async function titleOf(title: string): Promise<Title> {
  const query = encodeURIComponent(`title=="${title}"`);
  const { instances } = await library.call<{ instances: Title[] }>(`/inventory/instances?query=${query}`);
  const [found] = instances;
  assert.ok(found, title);
  return found;
}

/** On the page of a title. */
async function open(title: string): Promise<Page> {
  const { id } = await titleOf(title);
  const page = await library.visit();
  await enter(library, page);
  await page.goto(`${library.address}/desk/inventory/${id}`);
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  return page;
}

const inDialog = (page: Page) => page.getByRole("dialog");

test("a title gets another name, a second author and a number, and is hidden from patrons", async () => {
  const page = await open("Beloved");
  await press(page, "Edit title");
  await focused(page, inDialog(page).getByRole("textbox", { name: "Title" }));
  assert.deepEqual(await axe(page), []);
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Beloved, a novel");
  await press(page, "Add a contributor");
  await inDialog(page).getByRole("textbox", { name: "Name" }).last().fill("Hanif, Someone");
  await press(page, "Add a number");
  await inDialog(page).getByRole("textbox", { name: "Number" }).last().fill("9780099760115");
  await press(page, "Remove: Publication 1");
  // Left empty: it is not kept.
  await press(page, "Add a publication");
  await inDialog(page).getByText("Hidden from patrons").press("Space");
  assert.deepEqual(await axe(page), []);
  await inDialog(page).getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Beloved, a novel" }).waitFor();
  await page.getByText("Hidden from patrons").waitFor();
  assert.deepEqual(await axe(page), []);
  const stored = await titleOf("Beloved, a novel");
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
  await press(page, "Edit title");
  await focused(page, inDialog(page).getByRole("textbox", { name: "Title" }));
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Pride & prejudice");

  const change = async (part: Partial<Title>) => {
    const stored = await library.call<Title>(`/inventory/instances/${id}`);
    await library.call(`/inventory/instances/${id}`, { ...stored, ...part }, "PUT");
  };
  const { id } = await titleOf("Pride and prejudice");
  await change({ languages: ["eng", "fre"] });
  const save = inDialog(page).getByRole("button", { name: "Save" });
  await save.press("Enter");
  await inDialog(page).getByText("Somebody else has changed this meanwhile, but nothing that you did.").waitFor();
  assert.deepEqual(await axe(page), []);
  assert.equal(await inDialog(page).getByRole("textbox", { name: "Languages" }).inputValue(), "eng fre");
  await change({ title: "Stolz und Vorurteil" });
  await save.press("Enter");
  await inDialog(page).getByText("Title among it").waitFor();
  await save.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Pride & prejudice" }).waitFor();
  assert.deepEqual((await titleOf("Pride & prejudice")).languages, ["eng", "fre"]);
});

test("holdings move to another shelf, with a note", async () => {
  const page = await open("Pride & prejudice");
  const first = page.getByRole("button", { name: /^Edit holdings: / }).first();
  await first.waitFor();
  await press(page, (await first.getAttribute("aria-label")) ?? "");
  await inDialog(page)
    .getByRole("button", { name: /Location/ })
    .press("Enter");
  await page.getByRole("option", { name: "Harbour: Children" }).press("Enter");
  await inDialog(page).getByRole("textbox", { name: "Call number", exact: true }).fill("PR4034 .P7 2026");
  await press(page, "Add a note");
  await inDialog(page).getByRole("textbox", { name: "Note" }).fill("Bound anew");
  assert.deepEqual(await axe(page), []);
  await inDialog(page).getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("heading", { name: "Harbour: Children PR4034 .P7 2026" }).waitFor();
  await page.getByText("Bound anew").waitFor();
  assert.deepEqual(await axe(page), []);
});

test("the forms fit on a phone", async () => {
  const { id } = await titleOf("Beloved, a novel");
  const page = await library.visit({ width: 375, height: 740 });
  await enter(library, page);
  await page.goto(`${library.address}/desk/inventory/${id}`);
  for (const name of ["Edit title", "Edit holdings: Harbour: Fiction"]) {
    await press(page, name);
    await inDialog(page).waitFor();
    const over = await inDialog(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
    assert.ok(over <= 0, `${name} is ${over} pixels too wide`);
    await page.keyboard.press("Escape");
    await inDialog(page).waitFor({ state: "detached" });
  }
});
