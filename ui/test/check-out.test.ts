/** Check out, by keyboard alone, as at a desk. */

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
  waitForFocus,
} from "./library.ts";

const FREYA = "27001000000445";
const NOAH = "27001000000411";
const BELOVED = "37001000000096";
const FILM = "37001000000765";
const REFERENCE = "37001000000294";
const LENT_TO_EMILY = "37001000001185";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

const lendable = async () => (await library.lendable()).filter((barcode) => barcode !== BELOVED);
const item = (page: Page) => page.getByRole("textbox", { name: "Item barcode" });
test("a newcomer gets from the address to the first check-out without the mouse", async () => {
  const page = await library.visit();
  const said: string[] = [];
  page.on("console", (message) => message.type() === "error" && said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  await page.goto(library.address);
  await page.getByRole("button", { name: "Look around the demo library" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "Look around the demo library");
  await page.getByRole("heading", { name: "At which service point are you?" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "Harbour Library desk");
  await page.getByText("Scan the patron's card").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await scan(page, FREYA);
  await page.getByRole("heading", { name: "Freya Nielsen" }).waitFor();
  await scan(page, BELOVED);
  await row(page, "Beloved").getByText(/^due /).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  assert.match(page.url(), /patron=27001000000445/);

  await pressButton(page, "Why? Beloved");
  await page.getByText("Loan policy: “Three weeks, two renewals”.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.press("Escape");
  await page.locator(".scan input:focus").waitFor();
  await pressButton(page, "Undo: Beloved");
  await row(page, "Beloved").getByText("undone").waitFor();
  assert.deepEqual(said, [], "the browser's console is quiet");
});

test("refusals say what would help, and can be overridden with a reason", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await scan(page, FREYA);
  await item(page).waitFor();
  await scan(page, REFERENCE, LENT_TO_EMILY, "no-such-barcode");
  await row(page, "no-such-barcode").getByText("not in the catalogue").waitFor();
  await row(page, REFERENCE).getByText("By its loan policy this item is not loanable").waitFor();
  await row(page, LENT_TO_EMILY).getByText("check it in first").waitFor();
  assert.deepEqual(await axeViolations(page), []);

  await pressButton(page, "Check in, then check out");
  await row(page, "Pride and prejudice").getByText(/^due /).waitFor();

  await pressButton(page, "Override");
  await waitForFocus(page, page.getByRole("dialog").getByLabel("Reason"));
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.type("For the reading group");
  await page.keyboard.press("Tab");
  await pressButton(page, "Override");
  await row(page, "The Chicago manual of style").getByText(/^due /).waitFor();

  await item(page).focus();
  await page.keyboard.press("Escape");
  await page.getByText("2 items for Freya Nielsen. The session has ended.").waitFor();
  await scan(page, NOAH);
  await page.getByRole("heading", { name: "Noah Williams" }).waitFor();
  await page.getByText(/^expired on .* 2025$/).waitFor();
  await scan(page, BELOVED);
  await row(page, BELOVED).getByText("Cannot check out to inactive user").waitFor();
  // An expired patron has to be renewed, an inactive one set active.
  await row(page, BELOVED).getByText("Renew the patron's registration").waitFor();

  const { users } = await library.call<{ users: { barcode: string; personal: { lastName: string } }[] }>(
    `/users?query=${encodeURIComponent("active==false")}`,
  );
  const [inactive] = users;
  await item(page).focus();
  await page.keyboard.press("Escape");
  await page.getByRole("textbox", { name: "Patron barcode" }).waitFor();
  await scan(page, inactive?.barcode ?? "");
  await page.getByRole("heading", { name: inactive?.personal.lastName ?? "" }).waitFor();
  await scan(page, BELOVED);
  await row(page, BELOVED).getByText("The patron's account is set to inactive.").waitFor();
  assert.equal(await row(page, BELOVED).getByText("Renew the patron's registration").count(), 0);
  assert.deepEqual(await axeViolations(page), []);
});

test("the receipt goes out by e-mail", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await scan(page, FREYA);
  await item(page).waitFor();
  await scan(page, FILM);
  await row(page, "Das Leben der Anderen").getByText(/^due /).waitFor();
  await pressButton(page, "Receipt by e-mail");
  await page.getByText("The receipt is on its way to freya.nielsen@example.com.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const { emailEntity } = await library.call<{ emailEntity: { to: string; header: string; body: string }[] }>(
    "/email?limit=100",
  );
  const mails = emailEntity.filter(({ to }) => to.startsWith("freya.nielsen"));
  assert.ok(
    mails.some(({ body }) => /Das Leben der Anderen.*due /s.test(body)),
    JSON.stringify(mails),
  );
  await pressButton(page, "Undo: Das Leben der Anderen");
  await row(page, "Das Leben der Anderen").getByText("undone").waitFor();
});

test("a name finds the patron whose card is at home", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await scan(page, "haddad leila");
  await page.getByRole("heading", { name: "Leila Haddad" }).waitFor();
  await page.getByRole("button", { name: /Borrows for/ }).waitFor();
  await scan(page, "nobody has this");
  await page.keyboard.press("Escape");
});

test("twenty items scanned at full speed are all lent, in order", async () => {
  const barcodes = (await lendable()).slice(0, 20);
  const page = await library.visit();
  await enterDesk(library, page);
  await scan(page, "27001000000015");
  await item(page).waitFor();
  await scan(page, ...barcodes);
  await page.getByText(/^20 items in this session/).waitFor();
  const shown = await page.locator(".row .code").allTextContents();
  assert.deepEqual(shown.toReversed(), barcodes);
  // The server has them in this order, too.
  const query = encodeURIComponent('status.name=="Open" sortBy loanDate/sort.descending');
  const { loans } = await library.call<{ loans: { item: { barcode: string } }[] }>(
    `/circulation/loans?limit=20&query=${query}`,
  );
  assert.deepEqual(loans.map((loan) => loan.item.barcode).toReversed(), barcodes);
});

test("a lost connection loses no scan", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await scan(page, FREYA);
  await item(page).waitFor();
  await page.context().setOffline(true);
  await scan(page, FILM);
  await page.getByText("No connection to the server.").waitFor();
  await row(page, FILM).getByText("saved here until the connection is back").waitFor();
  await page.context().setOffline(false);
  await row(page, "Das Leben der Anderen").getByText(/^due /).waitFor();
});

test("the desk speaks German", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await page.getByRole("button", { name: /Preferences/ }).press("Enter");
  await page.getByRole("button", { name: /Language/ }).press("Enter");
  await page.getByRole("option", { name: "Deutsch" }).press("Enter");
  await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.press("Escape");
  await page.getByText("Scannen Sie den Leserausweis").waitFor();
});

for (const theme of ["dark", "contrast"]) {
  test(`words can be read in the colours “${theme}”`, async () => {
    const page = await library.visit();
    await page.addInitScript((theme) => localStorage.setItem("octavo.preferences", JSON.stringify({ theme })), theme);
    await enterDesk(library, page);
    assert.deepEqual(await axeViolations(page), []);
    await scan(page, NOAH);
    await item(page).waitFor();
    await scan(page, REFERENCE, "no-such-barcode");
    await row(page, "no-such-barcode").getByText("not in the catalogue").waitFor();
    assert.deepEqual(await axeViolations(page), []);
  });
}

for (const [name, width] of [
  ["a phone", 375],
  ["200 % zoom", 640],
] as const) {
  test(`nothing is cut off at ${name}`, async () => {
    const page = await library.visit({ width, height: 740 });
    await enterDesk(library, page);
    await scan(page, FREYA);
    await item(page).waitFor();
    await scan(page, REFERENCE);
    await row(page, REFERENCE).waitFor();
    await checkPage(page, "the page");
  });
}
