/** Inventory and requests, by keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  axeViolations,
  checkPage,
  enterDesk,
  type Library,
  openLibrary,
  type Page,
  pressButton,
  row,
  scan,
  scanQuickly,
  waitForFocus,
  waitUntilEqual,
} from "./library.ts";

const LENT_TO_EMILY = "37001000001185";
const FREYA = "27001000000445";
const AMARA = "27001000000015";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

async function openTitle(page: Page, text: string, name: string): Promise<void> {
  await page.keyboard.press("Alt+t");
  await page.locator("main input[type=search]:focus").waitFor();
  await page.keyboard.type(text);
  await page.getByRole("link", { name }).press("Enter");
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

async function request(page: Page, barcode: string, patron: string): Promise<void> {
  await pressButton(page, `Request: ${barcode}`);
  await waitForFocus(page, page.getByLabel("Requester"));
  await page.keyboard.type(patron);
  await page.getByRole("button", { name: /Request type/ }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Place request" }).press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

test("a title is found by signs without blanks, a call number without its blank, and part of an ISBN", async () => {
  const page = await library.visit();
  await enterDesk(library, page, "/inventory");
  for (const [text, title] of [
    ["村上", "ノルウェイの森"],
    ["春樹", "ノルウェイの森"],
    ["PR4034", "Pride and prejudice"],
    ["pr 4034p7", "Pride and prejudice"],
    ["823.92adi", "Americanah"],
    ["978-0-14-143", "Pride and prejudice"],
    ["978014143", "Pride and prejudice"],
  ] as const) {
    await page.getByLabel("Find a title").fill(text);
    await page.waitForURL(new RegExp(encodeURIComponent(text).replaceAll("%20", "\\+")));
    await page.getByRole("link", { name: title, exact: true }).waitFor({ timeout: 10_000 });
  }
  assert.deepEqual(await axeViolations(page), []);
});

test("a title is found, its copies tell where they are, and it is requested; the queue is reordered", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await openTitle(page, "pride austen", "Pride and prejudice");
  await row(page, LENT_TO_EMILY).getByText(/^due /).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await request(page, LENT_TO_EMILY, FREYA);
  await request(page, LENT_TO_EMILY, AMARA);
  const waiting = page.locator(".queue > li");
  await waiting.nth(1).getByText("Amara Okafor").waitFor();
  await pressButton(page, "Move up: Okafor");
  await waiting.nth(0).getByText("Amara Okafor").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  // The row that was moved has kept the focus, so that keys move it on; each place is said.
  await page.getByText("Amara Okafor is now at position 1 of 2").waitFor();
  await page.waitForFunction(() => document.activeElement?.closest(".queue-row"));
  await page.keyboard.press("Alt+ArrowDown");
  await page.getByText("Amara Okafor is now at position 2 of 2").waitFor();
  await waiting.nth(1).getByText("Amara Okafor").waitFor();
  await page.waitForFunction(() => document.activeElement?.closest(".queue-row"));
  await page.keyboard.press("Alt+ArrowUp");
  await waiting.nth(0).getByText("Amara Okafor").waitFor();

  // The handle that a hand drags is taken up and let go by keyboard, too.
  for (const [taken, first] of [
    ["Nielsen", "Freya Nielsen"],
    ["Okafor", "Amara Okafor"],
  ] as const) {
    await page.getByRole("button", { name: `Drag: ${taken}` }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".queue > li[data-target]").waitFor();
    await page.keyboard.press("Enter");
    await waiting.nth(0).getByText(first).waitFor();
  }
  assert.deepEqual(await axeViolations(page), []);

  await page.keyboard.press("Alt+i");
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
  await scan(page, LENT_TO_EMILY);
  await row(page, LENT_TO_EMILY).getByText("To the hold shelf, for Okafor, Amara").waitFor();
  await page.keyboard.press("Alt+r");
  await page.getByRole("tab", { name: "Open" }).waitFor();
  await page.locator("tbody tr", { hasText: "Nielsen, Freya" }).getByText("Not yet filled").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("tab", { name: "Open" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(/view=shelf/);
  await page.locator("tbody tr", { hasText: "Okafor, Amara" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const [file] = await Promise.all([page.waitForEvent("download"), pressButton(page, "Save as CSV")]);
  assert.equal(file.suggestedFilename(), "Hold shelf.csv");

  // Enter opens the request; from there it is cancelled.
  await page.getByRole("grid", { name: "Hold shelf" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Open - Awaiting pickup").waitFor();
  await page.waitForURL(/request=/);
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
  await page.getByRole("button", { name: /Reason/ }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Cancel the request" }).press("Enter");
  await dialog.getByText("Closed - Cancelled").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("The hold shelf of this service point is empty.").waitFor();
});

test("a card scanned into the question for whom chooses the patron and places nothing", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await openTitle(page, "pride austen", "Pride and prejudice");
  await pressButton(page, `Request: ${LENT_TO_EMILY}`);
  await waitForFocus(page, page.getByLabel("Requester"));
  const placed: string[] = [];
  page.on("request", (request) => request.method() === "POST" && placed.push(request.url()));
  const card = "27001000000056";
  await scan(page, card);
  await page.getByText("Fatima Zahra Benali").waitFor();
  await page.getByRole("button", { name: /Request type/ }).waitFor();
  // The next card takes the place of the first, and some scanners press Enter twice.
  await scan(page, AMARA);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("Amara Okafor").waitFor();
  await waitUntilEqual(() => page.getByLabel("Requester").inputValue(), AMARA);
  assert.deepEqual(placed, []);
});

test("a barcode scanned into a form sends nothing", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await openTitle(page, "beloved", "Beloved");
  const barcode = page.getByRole("textbox", { name: "Barcode" });
  await page.getByRole("link", { name: "Add copies: Harbour: Fiction" }).press("Enter");
  await waitForFocus(page, barcode);
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await scanQuickly(page, "37009999999999");
  await page.getByRole("button", { name: "Save" }).waitFor();
  await waitUntilEqual(() => barcode.inputValue(), "37009999999999");
  assert.deepEqual(sent, []);
});

test("a page is fetched with its slip", async () => {
  const page = await library.visit();
  await page.addInitScript(() => {
    window.print = () => {
      document.title = document.querySelector("article.slip")?.textContent ?? "";
    };
  });
  await enterDesk(library, page);
  await openTitle(page, "beloved", "Beloved");
  await request(page, "37001000000096", FREYA);
  await page.goto(`${library.address}/desk/requests?view=pick`);
  await row(page, "Beloved").getByText("Nielsen, Freya").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "Print pick slips");
  await page.waitForFunction(() => document.title.includes("Harbour: Fiction"));
});

test("a copy is added and marked", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await openTitle(page, "beloved", "Beloved");
  await page.getByRole("link", { name: "Add copies: Harbour: Fiction" }).press("Enter");
  await waitForFocus(page, page.getByRole("textbox", { name: "Barcode" }));
  await page.keyboard.type("test-copy-1");
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await row(page, "test-copy-1").getByText("Available").waitFor();
  await pressButton(page, "Mark as: test-copy-1");
  await page.getByRole("menuitem", { name: "Missing", exact: true }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Mark as" }).press("Enter");
  await row(page, "test-copy-1").getByText("Missing").waitFor();
});

test("nothing is cut off at a phone", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await enterDesk(library, page);
  for (const path of ["/inventory?query=the", "/requests", "/requests?view=pick"]) {
    await page.goto(`${library.address}/desk${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await checkPage(page, path);
  }
});
