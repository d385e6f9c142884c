/**
 * The self-check machine, by keyboard alone: a patron borrows, renews, returns and is forgotten; only a password leads
 * back to the desk.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { pressAt, tabTo } from "./keyboard.ts";
import {
  axeViolations,
  checkPage,
  enterByDoor,
  type Library,
  openLibrary,
  type Page,
  row,
  scan,
  waitForFocus,
} from "./library.ts";

const FREYA = "27001000000445";
const REFERENCE = "37001000000294";

let library: Library;
let copies: string[];
before(async () => {
  library = await openLibrary();
  copies = await library.lendable();
});
after(() => library?.close());

/** No quicker than somebody types: what comes as quickly as from a scanner sends no form. */
const byHand = (page: Page, text: string) => page.keyboard.type(text, { delay: 100 });

/** Signed in and set up by staff. */
async function start(page: Page, ...ticks: string[]): Promise<void> {
  await enterByDoor(library, page);
  await page.goto(`${library.address}/desk/self`);
  await page.getByRole("heading", { name: "Self-check" }).waitFor();
  for (const tick of ticks) {
    await pressAt(page.getByRole("checkbox", { name: tick }), "Space");
    assert.ok(await page.getByRole("checkbox", { name: tick }).isChecked(), tick);
  }
  assert.deepEqual(await axeViolations(page), []);
  await pressAt(page.getByRole("button", { name: "Start self-check" }));
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  await page.locator(".scan input:focus").waitFor();
}

test("a patron borrows, is told in their words what is refused, and leaves nothing behind", async () => {
  const [copy = ""] = copies.splice(0, 1);
  const page = await library.visit();
  await start(page);
  assert.deepEqual(await axeViolations(page), []);
  await scan(page, "freya");
  await page.getByText("This card is not known here.").waitFor();
  await scan(page, FREYA);
  await page.getByRole("heading", { name: "Hello Freya Nielsen" }).waitFor();
  await page.locator(".scan input:focus").waitFor();
  await scan(page, copy, REFERENCE);
  await page.getByText("back by", { exact: false }).first().waitFor();
  await row(page, REFERENCE).getByText("This stays in the library.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressAt(page.getByRole("button", { name: "Finish" }));
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  assert.equal(await page.getByText("Freya").count(), 0);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  assert.ok(!kept.includes("Nielsen") && !kept.includes(copy), kept);
});

test("what a patron has is renewed, in German, too", async () => {
  const [copy = ""] = copies.splice(0, 1);
  const page = await library.visit();
  await start(page);
  await scan(page, "27001000000015");
  await page.locator(".scan input:focus").waitFor();
  await page.getByRole("heading", { name: /^Hello/ }).waitFor();
  await scan(page, copy);
  await page
    .getByRole("list", { name: "Borrowed now" })
    .getByText(/^back by/)
    .waitFor();
  await pressAt(page.getByRole("button", { name: "Deutsch" }));
  await page.getByRole("heading", { name: /^Guten Tag/ }).waitFor();
  await pressAt(page.getByRole("button", { name: /^Verlängern/ }).first());
  await page
    .getByText(/^verlängert, zurück bis|^nicht verlängerbar/)
    .first()
    .waitFor();
  await pressAt(page.getByRole("button", { name: "Fertig" }));
  // The next patron finds the machine in its own language.
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
});

test("a PIN is asked for where the library wants it, and a wrong one opens nothing", async () => {
  const { users } = await library.call<{ users: { id: string }[] }>(`/users?query=barcode==${FREYA}`);
  await library.call("/patron-pin", { id: users[0]?.id, pin: "4711" });
  const page = await library.visit();
  await start(page, "Ask for the patron's PIN");
  await scan(page, FREYA);
  await page.getByRole("heading", { name: "Hello Freya Nielsen. Your PIN, please" }).waitFor();
  // The field for the PIN has the focus, also after a wrong one.
  const pin = page.locator("input[type=password]");
  await waitForFocus(page, pin);
  await scan(page, "0000");
  await page.getByText("This PIN is not right.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await waitForFocus(page, pin);
  await scan(page, "4711");
  await page.getByRole("heading", { name: "Hello Freya Nielsen", exact: true }).waitFor();
});

test("items are returned without a card where the library allows it, and nobody is named", async () => {
  const { loans } = await library.call<{ loans: { item: { barcode: string; title: string } }[] }>(
    `/circulation/loans?limit=1&query=${encodeURIComponent('status.name=="Open" sortBy dueDate/sort.descending')}`,
  );
  const back = loans[0]?.item.barcode ?? "";
  const page = await library.visit();
  await start(page, "Items can be returned here");
  await pressAt(page.getByRole("button", { name: "Return items" }));
  await page.getByRole("heading", { name: "Return items" }).waitFor();
  await page.locator(".scan input:focus").waitFor();
  await scan(page, back);
  await page
    .getByText(/^Returned\./)
    .first()
    .waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("no address leads away from it, and a staff member's password does", async () => {
  const page = await library.visit();
  await start(page);
  await page.goto(`${library.address}/desk/patrons`);
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  assert.equal(await page.getByRole("navigation").count(), 0);
  await page.keyboard.press("Control+k");
  await page.keyboard.press("Alt+p");
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
  await pressAt(page.getByRole("button", { name: "Staff" }));
  const dialog = page.getByRole("dialog");
  await waitForFocus(page, dialog.getByLabel("User name"));
  await byHand(page, "diku_admin");
  await page.keyboard.press("Tab");
  await byHand(page, "wrong");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await tabTo(dialog.getByLabel("Password"));
  await page.keyboard.press("Control+a");
  await byHand(page, "admin");
  await page.keyboard.press("Enter");
  await page.getByRole("navigation").first().waitFor();
});

test("nobody there any more: the machine asks, and forgets", async () => {
  const page = await library.visit();
  await page.clock.install();
  await start(page);
  await scan(page, FREYA);
  await page.getByRole("heading", { name: "Hello Freya Nielsen" }).waitFor();
  await page.clock.runFor(62_000);
  await page.getByText("Are you still there?").waitFor();
  await page.clock.runFor(16_000);
  await page.getByRole("heading", { name: "Welcome" }).waitFor();
});

test("nothing is cut off at a phone", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await start(page);
  await scan(page, FREYA);
  await page.getByRole("heading", { name: "Hello Freya Nielsen" }).waitFor();
  await checkPage(page, "the page");
});
