/**
 * Browsing headings of authorities: from any place, in both directions, with filters. By keyboard, as all of the desk.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
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

interface Line {
  headingRef: string;
  authority?: { authRefType: string; headingType: string };
}

before(async () => {
  library = await openLibrary();
  for (let number = 0; number < 40; number++) {
    const heading = `Quill, Writer ${String(number).padStart(2, "0")}`;
    await createAuthority({
      personalName: heading,
      sftPersonalName: [`Plume, Pen ${String(number).padStart(2, "0")}`],
    });
  }
  await createAuthority({ topicalTerm: "Quills" });
  page = await library.visit();
  await enterDesk(library, page, "/authorities");
});
after(() => library?.close());

function createAuthority(headings: object): Promise<unknown> {
  const id = randomUUID();
  return library.call("/authority-storage/authorities", { id, naturalId: `test ${id}`, source: "MARC", ...headings });
}

const field = () => page.getByRole("searchbox");
const lines = () => page.locator(".lines > .row");
const texts = () => page.locator(".lines .what a").allTextContents();

/** What the server lists. */
async function listHeadings(query: string, more = ""): Promise<string[]> {
  const path = `/browse/authorities?limit=30&query=${encodeURIComponent(query)}${more}`;
  return (await library.call<{ items: Line[] }>(path)).items.map(({ headingRef }) => headingRef);
}

async function open(path: string): Promise<void> {
  await page.goto(`${library.address}/desk/authorities${path}`);
  await waitForFocus(page, field());
}

test("headings are listed from the beginning, with references only when they are asked for", async () => {
  await open("");
  await page.getByRole("tab", { name: "Search" }).focus();
  await page.keyboard.press("ArrowRight");
  await waitForFocus(page, page.getByRole("tab", { name: "Browse headings", selected: true }));
  const headings = await listHeadings('headingRef>="!" and authRefType=="Authorized"');
  assert.equal(headings.length, 30);
  await waitUntilEqual(texts, headings);
  await page.getByRole("button", { name: "Previous", disabled: true }).waitFor();
  assert.deepEqual(await axeViolations(page), []);

  await page.getByRole("checkbox", { name: "Include see and see also references" }).press("Space");
  await page.waitForURL(/references=yes/);
  const all = await listHeadings('headingRef>="!"');
  assert.notDeepEqual(all, headings);
  await waitUntilEqual(texts, all);
  await lines().filter({ hasText: "Plume, Pen 00" }).getByText("Person · See heading").waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("a place is shown where no heading stands, and the pages lead on and back from there", async () => {
  await open("?tab=browse");
  await field().fill("quill, writer 1");
  const place = page.getByText("“quill, writer 1” would be here");
  await place.waitFor();
  await waitUntilEqual(() => lines().nth(5).textContent(), "“quill, writer 1” would be here");
  const before = await texts();
  assert.deepEqual(before.slice(4, 6), ["Quill, Writer 09", "Quill, Writer 10"]);
  assert.match(page.url(), /from=quill/);

  await pressButton(page, "Next");
  await place.waitFor({ state: "detached" });
  const next = await listHeadings(`headingRef>"${before.at(-1)}" and authRefType=="Authorized"`);
  await waitUntilEqual(texts, next);
  await page.reload();
  await waitUntilEqual(texts, next);
  await pressButton(page, "Previous");
  await waitUntilEqual(texts, await listHeadings(`headingRef<"${next[0]}" and authRefType=="Authorized"`));
  await page.goBack();
  await waitUntilEqual(texts, next);
});

test("the heading that was typed stands out, says how many titles it has, and leads to its authority", async () => {
  await open("?tab=browse&from=quill%2C+writer+07");
  const anchor = page.locator(".lines > [aria-current]");
  await anchor.getByRole("link", { name: "Quill, Writer 07" }).waitFor();
  await anchor.getByText("0 linked titles").waitFor();
  await anchor.getByRole("link").press("Enter");
  await page.getByRole("heading", { level: 1, name: "Quill, Writer 07" }).waitFor();
  await page.getByText("Plume, Pen 07").waitFor();
  await page.goBack();
  await anchor.getByRole("link", { name: "Quill, Writer 07" }).waitFor();
});

test("a filter keeps the headings of one kind, from the place that was typed", async () => {
  await open("?tab=browse&from=quill");
  await page.getByRole("button", { name: /Heading type/ }).press("Enter");
  await page.getByRole("option", { name: "Topic", exact: true }).press("Enter");
  await page.waitForURL(/kind=Topical/);
  await lines().filter({ hasText: "Quills" }).waitFor();
  await page.getByText("“quill” would be here").waitFor();
  const topics = await texts();
  assert.ok(topics.every((heading) => !heading.startsWith("Quill, Writer")));
  assert.deepEqual(await axeViolations(page), []);
});

test("on a phone nothing of the list is cut off", async () => {
  await page.setViewportSize({ width: 375, height: 740 });
  for (const path of ["?tab=browse", "?tab=browse&from=quill&references=yes", "?query=quill"]) {
    await open(path);
    await checkPage(page, path);
  }
});
