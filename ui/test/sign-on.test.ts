/** Signing in at a log-in service: an OpenID provider that runs beside the library, with its own pages. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import {
  axeViolations,
  checkPage,
  createStaff,
  type Library,
  openDesk,
  openLibrary,
  type Page,
  pressButton,
  submitForm,
  waitUntilQuiet,
} from "./library.ts";
import { CLIENT, type LogInService, logInAtService, startService } from "./provider.ts";

const BUTTON = "University log-in";
const SETTINGS = "/octavo/sso/settings";
const SSO = "/_/invoke/tenant/diku/octavo/sso";

let library: Library;
let service: LogInService;
before(async () => {
  library = await openLibrary();
  service = await startService(`${library.address}${SSO}/callback`);
  await createStaff(library, "colleague", ["users.collection.get", "usergroups.collection.get"]);
  const inactive = { id: randomUUID(), username: "former", active: false, personal: { lastName: "Former" } };
  await library.call("/users", inactive);
});
after(async () => {
  service?.stop();
  await library?.close();
});

const settings = () => ({
  active: true,
  issuer: service.issuer,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  buttonText: BUTTON,
  publicUrl: library.address,
});

const switchOn = () => library.call(SETTINGS, settings(), "PUT");

/** From the desk's door to the pages of the service. */
async function goToLogInService(page: Page, path = "/patrons", to = service): Promise<void> {
  await page.goto(`${library.address}/desk${path}`);
  await pressButton(page, BUTTON);
  await page.waitForURL(`${to.issuer}/**`);
}

/** Where the server sends a browser, which keeps the cookie and does not go there yet. */
async function logInAddress(page: Page, to = service): Promise<URL> {
  // The desk remembers the library from then on.
  await goToLogInService(page, "/patrons", to);
  const answer = await page.request.get(`${library.address}${SSO}/start?returnTo=/desk/patrons`, { maxRedirects: 0 });
  assert.equal(answer.status(), 303);
  return new URL(answer.headers().location ?? "");
}

async function waitForMessage(page: Page, text: string): Promise<void> {
  await page.getByRole("alert").filter({ hasText: text }).waitFor();
  await page.getByLabel("Password").waitFor();
  assert.ok(!page.url().includes("signOn"), page.url());
  assert.deepEqual(await namesOfTokens(page), []);
}

async function namesOfTokens(page: Page): Promise<string[]> {
  const cookies = await page.context().cookies(`${library.address}/authn`);
  return cookies.map(({ name }) => name).filter((name) => name.startsWith("folio"));
}

test("an administrator sets it up by keyboard, and the door has the button", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings?query=issuer");
  await page.getByRole("link", { name: "Single sign-on" }).press("Enter");
  await page.getByLabel("Address of the issuer").fill("http://localhost:1");
  await page.getByLabel("Client ID").fill(CLIENT.id);
  await page.getByLabel("Client secret").fill(CLIENT.secret);
  await page.getByLabel("Text of the button").fill(BUTTON);
  await page.getByRole("checkbox", { name: "People may sign in there" }).press("Space");
  await page.getByText(`${library.address}${SSO}/callback`).waitFor();
  assert.equal(await submitForm(page), 422);
  await page.getByText("The server does not take this: http://localhost:1").waitFor();
  await checkPage(page, "the settings with what is wrong in them");
  await page.getByLabel("Address of the issuer").fill(service.issuer);
  assert.equal(await submitForm(page), 200);
  await page.getByRole("status").filter({ hasText: "Saved." }).first().waitFor();
  await page.getByText("One is stored and never shown.").waitFor();
  assert.equal(await page.getByLabel("Client secret").inputValue(), "");
  await page.reload();
  await page.getByText("One is stored and never shown.").waitFor();
  assert.ok(!(await page.content()).includes(CLIENT.secret));
  await checkPage(page, "the settings");

  const other = await library.visit({ width: 375, height: 740 });
  await other.goto(`${library.address}/desk`);
  await other.getByRole("button", { name: BUTTON }).waitFor();
  await checkPage(other, "the door");
  const arabic = await library.visit({ width: 375, height: 740 });
  await arabic.addInitScript(() =>
    localStorage.setItem("octavo.preferences", JSON.stringify({ language: "ar", theme: "dark" })),
  );
  await arabic.goto(`${library.address}/desk`);
  await arabic.locator(":root[dir=rtl]").waitFor();
  await arabic.getByRole("button", { name: BUTTON }).waitFor();
  await checkPage(arabic, "the door in Arabic, in the dark");
});

test("staff sign in at the service, come back to their page and go on", async () => {
  await switchOn();
  const page = await library.visit();
  await goToLogInService(page, "/patrons?query=nielsen");
  await logInAtService(page, "colleague");
  await page.waitForURL(`${library.address}/desk/patrons?query=nielsen`);
  await page.getByRole("navigation").first().waitFor();
  await page.getByText("Nielsen").first().waitFor();
  assert.deepEqual((await namesOfTokens(page)).sort(), ["folioAccessToken", "folioRefreshToken"]);
  // The tokens are renewed as those of a password are.
  await page.context().clearCookies({ name: "folioAccessToken" });
  await page.reload();
  await page.getByText("Nielsen").first().waitFor();
});

test("whom the library does not know, and who is not active any more, is told so", async () => {
  await switchOn();
  const page = await library.visit();
  await goToLogInService(page);
  await logInAtService(page, "stranger");
  await waitForMessage(page, "This library has no account for you.");
  assert.deepEqual(await axeViolations(page), []);
  const other = await library.visit();
  await goToLogInService(other);
  await logInAtService(other, "former");
  await waitForMessage(other, "Your account is not active.");
});

test("an answer that was changed, belongs to another log-in or comes again lets nobody in", async () => {
  await switchOn();
  const page = await library.visit();
  await goToLogInService(page);
  await page.goto(`${library.address}${SSO}/callback?code=any&state=changed`);
  await waitForMessage(page, "The sign-in took too long, or was not begun in this browser.");

  const mixed = await library.visit();
  const way = await logInAddress(mixed);
  way.searchParams.set("nonce", "of-another-log-in");
  await mixed.goto(way.href);
  await logInAtService(mixed, "colleague");
  await waitForMessage(mixed, "could not be trusted");

  const again = await library.visit();
  const begun = await logInAddress(again);
  const cookies = await again.context().cookies(`${library.address}${SSO}/callback`);
  const answer = again.waitForRequest((request) => request.url().includes("/callback?"));
  await again.goto(begun.href);
  await logInAtService(again, "colleague");
  await again.getByRole("navigation").first().waitFor();
  await again.context().clearCookies();
  await again.context().addCookies(cookies);
  assert.ok(cookies.some(({ name }) => name === "octavoSignOn"));
  await again.goto((await answer).url());
  await waitForMessage(again, "The sign-in took too long, or was not begun in this browser.");
});

test("whose time has run out signs in there in a new tab, and what was at work goes on", async () => {
  await switchOn();
  const page = await library.visit();
  await goToLogInService(page);
  await logInAtService(page, "colleague");
  await page.getByRole("navigation").first().waitFor();
  await waitUntilQuiet(page);
  await page.context().clearCookies({ name: /^folio/ });
  await page.getByRole("searchbox").first().fill("nielsen");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: BUTTON }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const tab = page.context().waitForEvent("page");
  await page.getByRole("dialog").getByRole("button", { name: BUTTON }).press("Enter");
  await (await tab).getByRole("navigation").first().waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByText("Nielsen").first().waitFor();
});

test("when the service is down nobody is signed in, and the way with a password stays", async () => {
  const own = await startService(`${library.address}${SSO}/callback`);
  await library.call(SETTINGS, { ...settings(), issuer: own.issuer }, "PUT");
  const page = await library.visit();
  const begun = await logInAddress(page, own);
  own.stop();
  const state = begun.searchParams.get("state") ?? "";
  await page.goto(`${library.address}${SSO}/callback?code=any&state=${state}&iss=${encodeURIComponent(own.issuer)}`);
  await waitForMessage(page, "does not answer as it should");
  await page.getByLabel("User name").fill("colleague");
  await page.getByLabel("Password").fill("Twelve-letters-1");
  await page.keyboard.press("Enter");
  await page.getByRole("navigation").first().waitFor();
});
