/**
 * The search of the inventory: filters, corrections, browse lists, saved searches, files. By keyboard, as all of the
 * desk.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import {
  axeViolations,
  checkPage,
  enterDesk,
  type Library,
  openLibrary,
  type Page,
  pressButton,
  waitForFocus,
  waitUntilEqual,
} from "./library.ts";

let library: Library;
let page: Page;
before(async () => {
  library = await openLibrary();
  page = await library.visit();
  await enterDesk(library, page, "/inventory");
});
after(() => library?.close());

const field = () => page.getByRole("searchbox");
const waitForCount = (count: number | string) => page.getByText(`${count} found`, { exact: true }).waitFor();
const titles = () => page.locator(".titles > .row a");

/** Waits until these titles are listed, in this order. */
async function waitForTitles(expected: readonly string[]): Promise<void> {
  for (const [place, title] of expected.entries()) await titles().nth(place).filter({ hasText: title }).waitFor();
  await titles().nth(expected.length).waitFor({ state: "detached" });
  await waitUntilEqual(() => titles().allTextContents(), expected);
}

async function open(path: string): Promise<void> {
  await page.unrouteAll();
  await page.goto(`${library.address}/desk/inventory${path}`);
  await waitForFocus(page, field());
}

/** How many titles a query finds. */
async function count(query: string): Promise<number> {
  const path = `/search/instances?limit=0&query=${encodeURIComponent(query)}`;
  return (await library.call<{ totalRecords: number }>(path)).totalRecords;
}

async function readDownload(button: string): Promise<[name: string, text: string]> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).press("Enter"),
  ]);
  return [file.suggestedFilename(), await readFile(await file.path(), "utf8")];
}

test("filters narrow the list to as many titles as they say, stay in the address, and are taken off", async () => {
  await open("");
  await page.keyboard.type("the");
  const all = 'keyword all "the" or subjects all "the"';
  await waitForCount(await count(all));
  const german = await count(`(${all}) and languages==ger`);
  const english = await count(`(${all}) and languages==eng`);
  await pressButton(page, "Go to the filters");
  await page.locator("#filters:focus").waitFor();
  await page.getByRole("checkbox", { name: `German ${german}` }).press("Space");
  await waitForCount(german);
  await page.getByRole("checkbox", { name: `English ${english}` }).press("Space");
  const both = await count(`(${all}) and languages==(ger or eng)`);
  await waitForCount(both);
  assert.deepEqual(await axeViolations(page), []);

  await page.reload();
  await waitForCount(both);
  await page.getByRole("checkbox", { name: /^German /, checked: true }).waitFor();
  await page.getByRole("button", { name: "Remove filter: Language, German" }).press("Enter");
  await waitForCount(english);
  await waitForFocus(page, field());
  await pressButton(page, "Clear all filters");
  await waitForCount(await count(all));
  assert.equal(new URL(page.url()).search, "?query=the");
});

test("a filter without words lists its titles by the alphabet, and what no title has any more stays ticked", async () => {
  await open("?language=ger");
  await waitForCount(await count("languages==ger"));
  const named = await titles().allTextContents();
  const { instances } = await library.call<{ instances: { title: string }[] }>(
    `/search/instances?query=${encodeURIComponent("languages==ger sortBy title")}`,
  );
  assert.deepEqual(
    named,
    instances.map(({ title }) => title),
  );
  await page.keyboard.type("xyzzy");
  await page.getByText("No titles found.").waitFor();
  await page.getByRole("checkbox", { name: "German 0", checked: true }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("more values of a filter are there when they are asked for", async () => {
  await open("");
  const boxes = page.getByRole("group", { name: "Language" }).getByRole("checkbox");
  await page.getByRole("button", { name: "More: Language" }).press("Enter");
  await page.getByRole("button", { name: "Fewer: Language" }).waitFor();
  await boxes.nth(5).waitFor();
  await page.getByRole("button", { name: "Fewer: Language" }).press("Enter");
  await boxes.nth(5).waitFor({ state: "detached" });
});

test("a search with a wrong letter is corrected by one press", async () => {
  await open("");
  await page.keyboard.type("prejudise");
  await page.getByText("Did you mean").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "prejudice");
  await page.getByRole("link", { name: "Pride and prejudice" }).waitFor();
  await waitForFocus(page, field());
  await waitUntilEqual(() => field().inputValue(), "prejudice");
  await page.goBack();
  await page.getByText("Did you mean").waitFor();
  await waitUntilEqual(() => field().inputValue(), "prejudise");
});

test("an option searches one field, a query in CQL waits for Enter, and the order can be turned round", async () => {
  await open("");
  await page.getByRole("button", { name: /Search in/ }).press("Enter");
  await page.getByRole("option", { name: "Contributor", exact: true }).press("Enter");
  await field().fill("austen");
  await page.getByRole("link", { name: "Pride and prejudice" }).waitFor();
  await waitForCount(await count("contributors all austen"));

  await open("?option=cql");
  await page.keyboard.type("languages==fre or (");
  await page.keyboard.press("Enter");
  await page.getByText("This is no query in CQL").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await field().fill("languages==fre");
  await page.keyboard.press("Enter");
  await waitForCount(await count("languages==fre"));
  const path = `/search/instances?query=${encodeURIComponent("languages==fre sortby title")}`;
  const { instances } = await library.call<{ instances: { title: string }[] }>(path);
  const sorted = instances.map(({ title }) => title);
  await page.getByRole("button", { name: /Sort/ }).press("Enter");
  await page.getByRole("option", { name: "Title, A to Z" }).press("Enter");
  await page.waitForURL(/sort=title/);
  await waitForTitles(sorted);
  await page.goto(page.url().replace("sort=title", "sort=-title"));
  await waitForTitles(sorted.toReversed());
});

test("subjects are browsed from any place in both directions, and lead to their titles and back", async () => {
  await open("");
  await page.getByRole("tab", { name: "Search" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await waitForFocus(page, page.getByRole("tab", { name: "Browse subjects", selected: true }));
  const lines = page.locator(".lines > .row");
  await lines.nth(29).waitFor();
  const first = await lines.first().textContent();
  await page.getByRole("button", { name: "Previous", disabled: true }).waitFor();

  await field().fill("fantasi");
  const place = page.getByText("“fantasi” would be here");
  await place.waitFor();
  await waitUntilEqual(() => lines.nth(5).textContent(), await place.textContent());
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "Next");
  await place.waitFor({ state: "detached" });
  const next = await lines.first().textContent();
  await page.reload();
  await lines.filter({ hasText: next ?? "" }).waitFor();
  await pressButton(page, "Previous");
  await lines.filter({ hasText: /^Fantasy\d/ }).waitFor();
  for (let pages = 0; pages < 10; pages++) {
    if (await page.getByRole("button", { name: "Previous", disabled: true }).count()) break;
    const before = await lines.first().textContent();
    await pressButton(page, "Previous");
    await page.waitForFunction((text) => document.querySelector(".lines > .row")?.textContent !== text, before);
  }
  await waitUntilEqual(() => lines.first().textContent(), first);

  await field().fill("fantasy");
  const anchor = page.locator(".lines > [aria-current]");
  await anchor.getByText("3 titles").waitFor();
  await anchor.getByRole("link").press("Enter");
  await waitForCount(3);
  await waitForFocus(page, field());
  await page.goBack();
  await anchor.getByText("3 titles").waitFor();
});

test("a call number leads to its title, and each type has its own order; contributors lead to their titles", async () => {
  await open("?tab=call-numbers&from=PR1583");
  await page.getByRole("button", { name: /Type of call number/ }).press("Enter");
  await page.getByRole("option", { name: "Library of Congress" }).press("Enter");
  await page.waitForURL(/type=lc/);
  await page.getByRole("link", { name: "PR1583 .H43 2000" }).press("Enter");
  await page.getByRole("heading", { name: /^Beowulf/ }).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "PR1583 .H43 2000" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await open("?tab=contributors&from=austen");
  await page.getByRole("link", { name: "Austen, Jane, 1775-1817" }).press("Enter");
  await page.getByRole("link", { name: "Pride and prejudice" }).waitFor();
});

test("a search that is saved is there after a reload, opens with its filters, and is deleted", async () => {
  await open("?query=the&language=ger");
  await pressButton(page, "Saved searches");
  await page.getByLabel("Name for this search").fill("German ones");
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "German ones" }).waitFor();
  await open("");
  await pressButton(page, "Saved searches");
  await page.getByRole("link", { name: "German ones" }).press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("checkbox", { name: /^German /, checked: true }).waitFor();
  await waitUntilEqual(() => field().inputValue(), "the");
  await pressButton(page, "Saved searches");
  await page.getByRole("button", { name: "Delete: German ones" }).press("Enter");
  await page.getByText("No search has been saved in this browser yet.").waitFor();
});

test("what was found is saved as ids and as a table", async () => {
  await open("?language=eng");
  const all = await count("languages==eng");
  await waitForCount(all);
  await pressButton(page, "Export");
  const [textName, ids] = await readDownload("Save ids");
  assert.equal(textName, "titles.txt");
  const path = `/search/instances/ids?query=${encodeURIComponent("languages==eng")}`;
  const expected = (await library.call<{ ids: { id: string }[] }>(path)).ids.map(({ id }) => id);
  assert.deepEqual(ids.trim().split("\n").sort(), expected.sort());
  await page.getByText(`titles.txt has been saved: ${all} titles.`).waitFor();
  const [tableName, table] = await readDownload("Save as CSV");
  assert.equal(tableName, "titles.csv");
  const lines = table.trim().split("\r\n");
  assert.equal(lines.length, all + 1);
  assert.match(lines.find((line) => line.includes("Pride and prejudice")) ?? "", /Austen.*9780141439518.*PR4034 \.P7/);
  assert.deepEqual(await axeViolations(page), []);
});

test("an export that takes long says how far it is, and is stopped", async () => {
  await open("?language=eng");
  await pressButton(page, "Export");
  // No answer comes.
  await page.route(/limit=500/, () => {});
  await page.getByRole("button", { name: "Save as CSV" }).press("Enter");
  await page.getByText(/^0 of \d+$/).waitFor();
  await page.getByRole("button", { name: "Stop" }).press("Enter");
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  assert.equal(await page.getByRole("alert").count(), 0);
});

test("while the index is made, the page says how far it is, and shows the titles when it is there", async () => {
  await open("");
  const body = "The index of titles is being made: 12 of 129 titles so far";
  await page.route(/\/search\/instances/, (route) => route.fulfill({ status: 503, contentType: "text/plain", body }));
  await page.keyboard.type("austen");
  await page.getByText("being made: 12 of 129 titles so far").waitFor();
  assert.equal(await page.getByText("No connection to the server").count(), 0);
  assert.deepEqual(await axeViolations(page), []);
  await page.unroute(/\/search\/instances/);
  await page.getByRole("link", { name: "Pride and prejudice" }).waitFor();
});

test("of more titles than can be paged through the last page says so", async () => {
  await open("");
  await page.route(/\/search\/instances\?/, async (route) => {
    const { searchParams } = new URL(route.request().url());
    assert.ok(Number(searchParams.get("offset")) + Number(searchParams.get("limit")) <= 10_000);
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, totalRecords: 402_780 } });
  });
  await page.goto(`${library.address}/desk/inventory?query=the&page=9999`);
  await waitForCount("402,780");
  await page.getByText("Page 333 of 333").waitFor();
  await page.getByText("Only the first 9,990 results can be paged through.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("on a phone filters are behind a button, and nothing is cut off", async () => {
  await page.setViewportSize({ width: 375, height: 740 });
  await open("?query=the");
  await pressButton(page, "Filters");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: /^English / }).press("Space");
  await dialog.getByRole("button", { name: /^Show \d+ titles$/ }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole("button", { name: /^Show/ }).press("Enter");
  await page.getByRole("button", { name: "Filters (1)" }).waitFor();
  for (const path of ["", "?tab=call-numbers", "?tab=contributors&from=m"]) {
    await open(path);
    await checkPage(page, path);
  }
});
