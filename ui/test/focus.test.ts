/** Whatever was pressed last, and wherever the focus is: the next scan is taken. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { enterDesk, type Library, openLibrary, type Page, row, scan, scanQuickly, waitUntilEqual } from "./library.ts";

const LEILA = "27001000000114";
const BELOVED = "37001000000096";
const FILM = "37001000000765";
const REFERENCE = "37001000000294";
const LENT_TO_EMILY = "37001000001185";
const OF_HILLSIDE = "37001000001201";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

const BY = ["mouse", "keyboard"] as const;
type InputDevice = (typeof BY)[number];

const field = (page: Page) => page.locator(".scan input");
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

async function press(page: Page, by: InputDevice, name: string | RegExp, inside = button(page, name)): Promise<void> {
  if (by === "mouse") await inside.first().click();
  else await inside.first().press("Enter");
}

let scans = 0;

/** The next scan, with whatever has the focus: it is answered. */
async function checkScanIsTaken(page: Page, when: string, how = scan): Promise<void> {
  const barcode = `9${String(++scans).padStart(6, "0")}`;
  await how(page, barcode);
  const answer = row(page, barcode).getByText(/^Not checked (out|in)/);
  await answer.waitFor({ state: "attached" }).catch(async () => assert.fail(`lost ${when}; ${await focused(page)}`));
  await waitUntilEqual(() => field(page).inputValue(), "", when);
}

const focused = (page: Page) =>
  page.evaluate(() => `the focus is on ${document.activeElement?.outerHTML.slice(0, 200)}`);

/** After an action, the field has the focus, and takes the next scan. */
async function waitForFocus(page: Page, when: string): Promise<void> {
  await page
    .locator(".scan input:focus")
    .waitFor()
    .catch(async () => assert.fail(`${when}: ${await focused(page)}`));
  await checkScanIsTaken(page, when);
}

async function visit(path: string): Promise<Page> {
  const page = await library.visit();
  await page.addInitScript(() => {
    window.print = () => {};
  });
  await enterDesk(library, page, path);
  return page;
}

for (const by of BY) {
  test(`check-out takes the next scan after everything that can be done there by ${by}`, async () => {
    const page = await visit("/check-out");
    await scan(page, LEILA);
    await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
    await scan(page, BELOVED, REFERENCE, LENT_TO_EMILY);
    await row(page, LENT_TO_EMILY).getByText("check it in first").waitFor();

    await press(page, by, "Check in, then check out");
    await waitForFocus(page, "after “Check in, then check out”");
    await row(page, "Pride and prejudice").getByText(/^due /).waitFor();

    await press(page, by, "Why? Beloved");
    await page.getByText("Loan policy:").waitFor();
    await checkScanIsTaken(page, "over “Why?”", scanQuickly);
    await page.keyboard.press("Escape");
    await waitForFocus(page, "after “Why?” and Escape");
    await press(page, by, "Why? Beloved");
    await press(page, by, "Close", page.getByRole("dialog").getByRole("button", { name: "Close" }));
    await waitForFocus(page, "after “Why?” and Close");

    await press(page, by, /^Override$/);
    await page.getByLabel("Reason").fill("For the reading group");
    await checkScanIsTaken(page, "over “Override”", scanQuickly);
    await waitUntilEqual(() => page.getByLabel("Reason").inputValue(), "For the reading group");
    await press(page, by, "Cancel", page.getByRole("dialog").getByRole("button", { name: "Cancel" }));
    await waitForFocus(page, "after “Override” and Cancel");
    await press(page, by, /^Override$/);
    await page.getByLabel("Reason").fill("For the reading group");
    await press(page, by, "Override", page.getByRole("dialog").getByRole("button", { name: "Override" }));
    await waitForFocus(page, "after “Override”");
    await row(page, "The Chicago manual of style").getByText(/^due /).waitFor();

    await press(page, by, "Try again");
    await waitForFocus(page, "after “Try again”");
    await press(page, by, /^Remove from the list/);
    await waitForFocus(page, "after “Remove”");
    await press(page, by, "Receipt");
    await waitForFocus(page, "after “Receipt”");
    await press(page, by, "Receipt by e-mail");
    await waitForFocus(page, "after “Receipt by e-mail”");
    await page.getByText("The receipt is on its way").waitFor();
    await press(page, by, "Undo: Beloved");
    await waitForFocus(page, "after “Undo”");

    await press(page, by, /Borrows for/);
    await checkScanIsTaken(page, "over the list of those for whom one may borrow", scanQuickly);
    await press(page, by, "", page.getByRole("option", { name: "Amara Okafor" }));
    await waitForFocus(page, "after somebody was chosen to borrow for");
    await press(page, by, "Check out");
    await waitForFocus(page, "after “Check out” of nothing");
    await checkEveryPage(page, by);

    await press(page, by, "End session");
    await page.getByText(/The session has ended\.$/).waitFor();
    await press(page, by, "Receipt");
    await scan(page, "haddad");
    await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
    await waitForFocus(page, "after the end of a session");
    for (const barcode of [LENT_TO_EMILY, REFERENCE]) await checkInItem(barcode);
  });

  test(`check-in takes the next scan after everything that can be done there by ${by}`, async () => {
    await checkInItem(LENT_TO_EMILY);
    await checkOutItem(LENT_TO_EMILY);
    const page = await visit("/check-in");
    await scan(page, LENT_TO_EMILY, OF_HILLSIDE);
    await row(page, OF_HILLSIDE).getByText("On its way to").waitFor();
    await press(page, by, /^Print slip:/);
    await waitForFocus(page, "after “Print slip”");
    await press(page, by, "Undo: Pride and prejudice", button(page, /^Undo/).last());
    await waitForFocus(page, "after “Undo”");
    await press(page, by, "Try again");
    await waitForFocus(page, "after “Try again”");
    await press(page, by, /^Remove:/);
    await waitForFocus(page, "after “Remove”");

    const slips = page.locator("label.switch");
    await (by === "mouse" ? slips.click() : slips.locator("input").press("Space"));
    await waitForFocus(page, "after the switch for slips");

    await press(page, by, "Backdate returns");
    await waitForFocus(page, "after “Backdate returns”");
    await page.getByLabel("Return date").fill("2026-11-20T18:30");
    await page.getByLabel("Return date").focus();
    await checkScanIsTaken(page, "in the field for the hour", scanQuickly);
    await waitUntilEqual(() => page.getByLabel("Return date").inputValue(), "2026-11-20T18:30");
    await page.getByLabel("Return date").press("Enter");
    await waitForFocus(page, "after Enter in the field for the hour");
    await press(page, by, "Use the current time again");
    await waitForFocus(page, "after “Use the current time again”");

    await claimReturned(FILM);
    await scan(page, FILM);
    await press(page, by, "Found by library");
    await waitForFocus(page, "after the answer to a claim");
    await row(page, "Das Leben der Anderen").getByText("To the shelf").waitFor();
    await checkEveryPage(page, by);
    await press(page, by, "End session");
    await waitForFocus(page, "after “End session”");
  });
}

/** What every page has. */
async function checkEveryPage(page: Page, by: InputDevice): Promise<void> {
  await press(page, by, /Preferences/);
  await page.getByRole("heading", { name: "Preferences" }).waitFor();
  await checkScanIsTaken(page, "over the preferences", scanQuickly);
  await press(page, by, /Colours/);
  await checkScanIsTaken(page, "over the list of colours", scanQuickly);
  const light = page.getByRole("option", { name: "Light" });
  await press(page, by, "", light);
  // A list that is closing takes Escape for itself.
  await light.waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await waitForFocus(page, "after the preferences");

  await press(page, by, /Service point/);
  await page.getByRole("option", { name: "Hillside Library desk" }).waitFor();
  await checkScanIsTaken(page, "over the list of service points", scanQuickly);
  await page.keyboard.press("Escape");
  await waitForFocus(page, "after the list of service points");
  await button(page, /Service point/).focus();
  await checkScanIsTaken(page, "with the focus on the service point");
  assert.match((await button(page, /Service point/).textContent()) ?? "", /Harbour Library desk/);

  await page.getByRole("link", { name: "Today" }).focus();
  await checkScanIsTaken(page, "with the focus on a link");
  if (by === "mouse") {
    await page.locator("main").click({ position: { x: 5, y: 5 } });
    await waitForFocus(page, "after a click beside");
    await page.locator(".row .code").first().click();
    await waitForFocus(page, "after a click on words");
  } else {
    await field(page).focus();
    for (let times = 0; times < 3; times++) await page.keyboard.press("Tab");
    assert.equal(await page.locator(".scan input:focus").count(), 0);
    await checkScanIsTaken(page, "while somebody goes through the page with Tab");
  }
}

test("Escape ends the session wherever the focus is, and a text field keeps its own", async () => {
  const page = await visit("/check-out");
  const item = page.getByRole("textbox", { name: "Item barcode" });
  const elsewhere = {
    "on a link": () => page.getByRole("link", { name: "Today" }).focus(),
    nowhere: () => field(page).evaluate((input: HTMLInputElement) => input.blur()),
    "in the field": () => field(page).focus(),
  };
  for (const [where, go] of Object.entries(elsewhere)) {
    await scan(page, LEILA);
    await item.waitFor();
    await go();
    await page.keyboard.press("Escape");
    await page
      .getByText(/The session has ended\.$/)
      .waitFor()
      .catch(() => assert.fail(`with the focus ${where} the session goes on`));
  }
  await scan(page, LEILA, REFERENCE);
  await row(page, REFERENCE).getByText("Not checked out").waitFor();
  await press(page, "keyboard", "Override");
  await page.getByLabel("Reason").waitFor();
  await page.keyboard.press("Escape");
  await waitForFocus(page, "after Escape in a dialog, which the session outlives");
});

test("words that somebody marks to copy them stay marked, and the next scan is taken", async () => {
  const page = await visit("/check-in");
  await scan(page, "no-such-barcode");
  await row(page, "no-such-barcode").getByText("Not checked in").waitFor();
  const words = await row(page, "no-such-barcode").locator(".code").boundingBox();
  assert.ok(words);
  await page.mouse.move(words.x + 1, words.y + words.height / 2);
  await page.mouse.down();
  await page.mouse.move(words.x + words.width, words.y + words.height / 2, { steps: 5 });
  await page.mouse.up();
  // Longer than it takes until the focus comes back.
  await page.waitForTimeout(200);
  assert.match(await page.evaluate(() => String(document.getSelection())), /such-barcode/);
  await checkScanIsTaken(page, "with marked words");
});

const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";
const checkOutItem = (itemBarcode: string) =>
  library.call<{ id: string }>("/circulation/check-out-by-barcode", {
    itemBarcode,
    userBarcode: "27001000000445",
    servicePointId: HARBOUR,
  });

async function checkInItem(itemBarcode: string): Promise<void> {
  const checkInDate = new Date().toISOString();
  await library.call("/circulation/check-in-by-barcode", { itemBarcode, servicePointId: HARBOUR, checkInDate });
}

/** Lent, and its borrower says that it was returned. */
async function claimReturned(barcode: string): Promise<void> {
  const { id } = await checkOutItem(barcode);
  const itemClaimedReturnedDateTime = new Date().toISOString();
  await library.call(`/circulation/loans/${id}/claim-item-returned`, { itemClaimedReturnedDateTime });
}
