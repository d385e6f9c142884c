/** A day at the desk asks for no password while the refresh token lives; where one is needed, nothing is lost. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  axeViolations,
  createStaff,
  enterByDoor,
  type Library,
  openLibrary,
  type Page,
  row,
  scan,
  scanQuickly,
  signInAs,
  waitUntilEqual,
  waitUntilQuiet,
} from "./library.ts";

const FREYA = "27001000000445";
const AMARA = "27001000000015";
const ACCESS = "folioAccessToken";
const REFRESH = "folioRefreshToken";

let library: Library;
/** Copies that anybody may borrow, each lent in one test alone. */
let copies: string[];
before(async () => {
  library = await openLibrary();
  await createStaff(library, "colleague", await permissionsOfDesk());
  copies = await library.lendable();
});
after(() => library?.close());

async function permissionsOfDesk(): Promise<string[]> {
  const path = "/perms/users?length=1000&query=cql.allRecords=1";
  const { permissionUsers } = await library.call<{ permissionUsers: { permissions: string[] }[] }>(path);
  return (
    permissionUsers.toSorted((one, other) => other.permissions.length - one.permissions.length)[0]?.permissions ?? []
  );
}

const takeCopies = (count = 1) => copies.splice(0, count) as [string, ...string[]];
const waitForCheckOut = (page: Page, barcode: string) => row(page, barcode).getByText(/^due /).waitFor();
const passwordField = (page: Page) => page.getByRole("dialog").getByLabel("Password");

async function beginVisit(page: Page, card: string): Promise<void> {
  await scan(page, card);
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
}

/** What the server has said to those that asked for new tokens, from now on. */
function refreshes(page: Page): number[] {
  const said: number[] = [];
  page.context().on("response", (answer) => {
    if (answer.url().endsWith("/authn/refresh")) said.push(answer.status());
  });
  return said;
}

const loseCookies = (page: Page, ...names: string[]) =>
  Promise.all(names.map((name) => page.context().clearCookies({ name })));

async function signInAgain(page: Page, username: string, password: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("User name").fill(username);
  await dialog.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
}

async function isOnLoan(barcode: string): Promise<boolean> {
  const query = encodeURIComponent(`barcode=="${barcode}"`);
  const { items } = await library.call<{ items: { status: { name: string } }[] }>(`/inventory/items?query=${query}`);
  return items[0]?.status.name === "Checked out";
}

test("an access token that is gone is renewed, and what was asked for is done", async () => {
  const page = await library.visit();
  await enterByDoor(library, page);
  await beginVisit(page, FREYA);
  const said = refreshes(page);
  for (let times = 0; times < 2; times++) {
    const [barcode] = takeCopies();
    await loseCookies(page, ACCESS);
    await scan(page, barcode);
    await waitForCheckOut(page, barcode);
  }
  // Many calls at once share one.
  await loseCookies(page, ACCESS);
  await page.keyboard.press("Alt+h");
  await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
  await waitUntilQuiet(page);
  assert.deepEqual(said, [201, 201, 201]);
  await loseCookies(page, ACCESS);
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await waitUntilQuiet(page);
  assert.deepEqual(said, [201, 201, 201, 201]);
  assert.equal(await page.getByRole("dialog").count(), 0);
});

test("one that the server takes for nothing is renewed as well, though the browser goes on sending it", async () => {
  const page = await library.visit();
  await enterByDoor(library, page);
  await beginVisit(page, FREYA);
  const said = refreshes(page);
  await page
    .context()
    .addCookies([{ name: ACCESS, value: "a.b.c", url: library.address, secure: true, httpOnly: true }]);
  const [barcode] = takeCopies();
  await scan(page, barcode);
  await waitForCheckOut(page, barcode);
  assert.deepEqual(said, [201]);
});

test("two tabs that find their token gone at the same time renew it once", async () => {
  const page = await library.visit();
  await enterByDoor(library, page);
  await beginVisit(page, AMARA);
  const other = await page.context().newPage();
  await other.goto(`${library.address}/desk/check-in`);
  await other.locator("main input:focus").waitFor();
  const said = refreshes(page);
  for (let times = 0; times < 5; times++) {
    const [barcode] = takeCopies();
    await loseCookies(page, ACCESS);
    const returned = `no-such-barcode-${times}`;
    await Promise.all([scan(page, barcode), scan(other, returned)]);
    await waitForCheckOut(page, barcode);
    await row(other, returned).getByText("Not checked in").waitFor();
  }
  assert.deepEqual(said, [201, 201, 201, 201, 201]);
});

test("a connection that is away when the token must be renewed signs nobody out", async () => {
  const page = await library.visit();
  await enterByDoor(library, page);
  await beginVisit(page, FREYA);
  await page.context().setOffline(true);
  await loseCookies(page, ACCESS);
  const [first, second] = takeCopies(2) as [string, string];
  await scan(page, first, second);
  await row(page, first).getByText("saved here until the connection is back").waitFor();
  const said = refreshes(page);
  await page.context().setOffline(false);
  await waitForCheckOut(page, first);
  await waitForCheckOut(page, second);
  assert.deepEqual(said, [201]);
});

test("an outage longer than both tokens ends with a sign-in, and then everything is handed over", async () => {
  const page = await library.visit();
  await enterByDoor(library, page);
  await beginVisit(page, FREYA);
  const waiting = takeCopies(3);
  await page.context().setOffline(true);
  await scan(page, ...waiting);
  await loseCookies(page, ACCESS, REFRESH);
  await page.context().setOffline(false);
  await passwordField(page).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await signInAgain(page, "diku_admin", "admin");
  for (const barcode of waiting) await waitForCheckOut(page, barcode);
  assert.equal(await page.getByText("Token missing").count(), 0);
});

test("scanning goes on while the sign-in is asked for; a scan is not tried as a password", async () => {
  const page = await library.visit();
  await enterByDoor(library, page);
  await beginVisit(page, FREYA);
  await loseCookies(page, ACCESS, REFRESH);
  const scans = takeCopies(4) as [string, string, string, string];
  await scan(page, scans[0]);
  await passwordField(page).waitFor();
  let tries = 0;
  page.on("request", (request) => {
    tries += Number(request.url().includes("/authn/login"));
  });
  await passwordField(page).focus();
  await scanQuickly(page, scans[1]);
  await waitUntilEqual(() => passwordField(page).inputValue(), "");
  // Letters may be a password that a device types: it is left to a hand to send it.
  await scanQuickly(page, "Twelve-letters-1");
  await waitUntilEqual(() => passwordField(page).inputValue(), "Twelve-letters-1");
  await page.getByRole("dialog").getByLabel("User name").focus();
  await scanQuickly(page, scans[2]);
  await waitUntilEqual(() => page.getByRole("dialog").getByLabel("User name").inputValue(), "diku_admin");
  await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).focus();
  await scanQuickly(page, scans[3]);
  assert.equal(tries, 0);
  await signInAgain(page, "diku_admin", "admin");
  for (const barcode of scans) await waitForCheckOut(page, barcode);
  const shown = await page.locator(".row .code").allTextContents();
  assert.deepEqual(shown.toReversed(), scans);
});

test("somebody else who signs in goes on with the scans, and does nothing in the name of the first", async () => {
  const page = await library.visit();
  await enterByDoor(library, page);
  await beginVisit(page, AMARA);
  const [lent, later] = takeCopies(2) as [string, string];
  await scan(page, lent);
  await waitForCheckOut(page, lent);
  await loseCookies(page, ACCESS, REFRESH);
  await page.getByRole("button", { name: /^Undo/ }).press("Enter");
  await passwordField(page).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).focus();
  await scanQuickly(page, later);
  await signInAgain(page, "colleague", "Twelve-letters-1");
  await waitForCheckOut(page, later);
  assert.ok(await isOnLoan(lent));
  await page.getByRole("button", { name: /Signed in as colleague/ }).waitFor();
});

test("a sign-in, a sign-out and another user hold for all tabs", async () => {
  const page = await library.visit();
  await enterByDoor(library, page);
  const other = await page.context().newPage();
  await other.goto(`${library.address}/desk/check-in`);
  await other.locator("main input:focus").waitFor();
  await loseCookies(page, ACCESS, REFRESH);
  await scan(other, "no-such-barcode");
  await passwordField(other).waitFor();
  await scan(page, FREYA);
  await passwordField(page).waitFor();
  await signInAgain(page, "diku_admin", "admin");
  await other.getByRole("dialog").waitFor({ state: "detached" });
  await row(other, "no-such-barcode").getByText("Not checked in").waitFor();

  await page.getByRole("button", { name: /Preferences/ }).press("Enter");
  await page.getByRole("button", { name: "Sign out" }).press("Enter");
  await passwordField(other).waitFor();
  await page.getByLabel("User name").fill("colleague");
  await page.getByLabel("Password").fill("Twelve-letters-1");
  await page.keyboard.press("Enter");
  await other.getByRole("dialog").waitFor({ state: "detached" });
  await other.getByRole("button", { name: /Signed in as colleague/ }).waitFor();
});

test("whoever signs in before the page knows the libraries of the server is let in", async () => {
  const page = await library.visit();
  const libraries = "**/_/proxy/tenants*";
  await page.route(libraries, async (route) => {
    await new Promise((wait) => setTimeout(wait, 1000));
    await route.continue();
  });
  const answered = page.waitForResponse(libraries);
  await signInAs(library, page, "colleague", "/check-out");
  await answered;
  await page.getByRole("button", { name: /Signed in as colleague/ }).waitFor();
});
