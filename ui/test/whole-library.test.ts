/** Settings of the whole library: locale, check-out settings, title level requests, loan history, the mail server. */

import assert from "node:assert/strict";
import { createServer, type Server } from "node:net";
import { after, before, test } from "node:test";
import {
  axeViolations,
  checkPage,
  createStaff,
  enterDesk,
  type Library,
  openDesk,
  openLibrary,
  type Page,
  pressButton,
  scan,
  signInAs,
  submitForm,
  waitUntilEqual,
} from "./library.ts";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

interface Entry {
  id: string;
  value: string;
}

const entry = async (module: string, configName: string) => {
  const query = encodeURIComponent(`module=="${module}" and configName=="${configName}"`);
  const { configs } = await library.call<{ configs: Entry[] }>(`/configurations/entries?query=${query}`);
  assert.ok(configs.length <= 1, `${configs.length} entries of ${configName}`);
  return configs[0];
};
const value = async (module: string, configName: string) =>
  JSON.parse((await entry(module, configName))?.value ?? "{}");

async function choose(page: Page, label: RegExp, option: string): Promise<void> {
  await page.getByRole("button", { name: label }).first().press("Enter");
  await page.getByRole("option", { name: option, exact: true }).press("Enter");
}

test("dates and amounts follow the library's language, time zone and currency at once", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings");
  await page.getByRole("link", { name: "Language and region" }).press("Enter");
  await page.getByRole("heading", { name: "Language and region" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await choose(page, /Language$/, "British English");
  await choose(page, /Time zone$/, "Europe/London");
  await choose(page, /Currency$/, "British Pound (GBP)");
  assert.ok((await submitForm(page)) < 300);
  await page.getByText("Saved.").first().waitFor();
  assert.deepEqual(await value("ORG", "localeSettings"), {
    locale: "en-GB",
    timezone: "Europe/London",
    currency: "GBP",
  });
  await choose(page, /Time zone$/, "Asia/Tokyo");
  assert.equal(await submitForm(page), 204);
  assert.equal((await value("ORG", "localeSettings")).timezone, "Asia/Tokyo");
  // Without a reload: the page of fees was never asked for in another currency.
  await page
    .getByRole("link", { name: /^All settings|^Settings/ })
    .first()
    .press("Enter");
  await page.getByRole("link", { name: "Fee/fine types" }).press("Enter");
  await page.getByText("£3.00").waitFor();
});

test("patrons are found by what the library says, and a check-out ends by itself", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/at-the-desk");
  await page.getByRole("checkbox", { name: "Barcode" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("checkbox", { name: "Barcode" }).press("Space");
  await page.getByRole("checkbox", { name: "End check-out sessions automatically" }).press("Space");
  await page.getByRole("textbox", { name: "Minutes without activity" }).fill("2");
  assert.equal(await submitForm(page), 201);
  assert.deepEqual(await value("CHECKOUT", "other_settings"), {
    prefPatronIdentifier: "barcode",
    checkoutTimeout: true,
    checkoutTimeoutDuration: 2,
    audioAlertsEnabled: true,
  });
  await page.goto(`${library.address}/desk/check-out`);
  await page.locator("main input:focus").waitFor();
  await scan(page, "westhaven-0001");
  await page.getByText("No patron has the barcode westhaven-0001.").first().waitFor();
  await page.clock.install();
  await scan(page, "27001000000015");
  await page.getByText("Scan the items to check out").first().waitFor();
  await page.clock.fastForward("01:50");
  await page.keyboard.press("Shift");
  await page.clock.fastForward("01:50");
  await page.getByText("Scan the items to check out").first().waitFor();
  await page.clock.fastForward("00:30");
  await page.getByText("Scan the patron's card").first().waitFor();
});

test("what FOLIO keeps beside the desk's fields stays", async () => {
  const before = await entry("CHECKOUT", "other_settings");
  const kept = { ...JSON.parse(before?.value ?? "{}"), audioTheme: "modern", wildcardLookupEnabled: true };
  await library.call(`/configurations/entries/${before?.id}`, { ...before, value: JSON.stringify(kept) }, "PUT");
  const page = await library.visit();
  await openDesk(library, page, "/settings/at-the-desk");
  await page.getByRole("checkbox", { name: "User name" }).press("Space");
  await page.getByRole("checkbox", { name: "End check-out sessions automatically" }).press("Space");
  assert.equal(await submitForm(page), 204);
  assert.deepEqual(await value("CHECKOUT", "other_settings"), {
    prefPatronIdentifier: "barcode,username",
    checkoutTimeout: false,
    audioAlertsEnabled: true,
    audioTheme: "modern",
    wildcardLookupEnabled: true,
  });
});

test("requests for titles are switched on, and not off while there are any", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/title-requests");
  await page.getByRole("checkbox", { name: "Patrons may request any item of a title" }).press("Space");
  await page.getByRole("checkbox", { name: "Where no item can be fetched" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await submitForm(page), 201);
  await page.getByText("Saved.").first().waitFor();
  const { instances } = await library.call<{ instances: { id: string }[] }>("/instance-storage/instances?limit=1");
  const query = encodeURIComponent('barcode=="27001000000445"');
  const { users } = await library.call<{ users: { id: string }[] }>(`/users?query=${query}`);
  const request = await library.call<{ id: string }>("/circulation/requests", {
    requestType: "Page",
    requestLevel: "Title",
    requestDate: new Date().toISOString(),
    requesterId: users[0]?.id,
    instanceId: instances[0]?.id,
    fulfillmentPreference: "Hold Shelf",
    pickupServicePointId: "33154e2e-7bf2-585b-9b21-e1dafd383e05",
  });
  await page.getByRole("checkbox", { name: "Patrons may request any item of a title" }).press("Space");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByText("There are open title level requests.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  assert.equal((await value("SETTINGS", "TLR")).titleLevelRequestsFeatureEnabled, true);
  await library.call(`/circulation/requests/${request.id}`, undefined, "DELETE");
  await page.getByRole("checkbox", { name: "Patrons may request any item of a title" }).press("Space");
  await page.getByRole("checkbox", { name: "Patrons may request any item of a title" }).press("Space");
  assert.equal(await submitForm(page), 204);
  assert.equal((await value("SETTINGS", "TLR")).titleLevelRequestsFeatureEnabled, false);
});

test("loans that have ended forget their patron after a time, as FOLIO stores it", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/loan-history");
  await choose(page, /Anonymize closed loans$/, "After a time");
  await page.getByRole("textbox", { name: "Time after the return" }).fill("6");
  await choose(page, /Time after the return: Unit$/, "Months");
  await page.getByRole("checkbox", { name: "Treat closed loans with fees/fines differently" }).press("Space");
  await choose(page, /Anonymize those with fees\/fines$/, "Never");
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await submitForm(page), 201);
  assert.deepEqual(await value("LOAN_HISTORY", "loan_history"), {
    closingType: { loan: "interval", feeFine: "never" },
    loan: { duration: 6, intervalId: "Months" },
    treatEnabled: true,
  });
});

test("search slips stand beside what is to be fetched, where the library wants them", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/requests?view=pick");
  await page.getByRole("tab", { name: "Pick list" }).waitFor();
  assert.equal(await page.getByRole("heading", { name: "Search list" }).count(), 0);
  await page.goto(`${library.address}/desk/settings/search-slips`);
  await page.getByRole("checkbox", { name: "Search slips are printed for holds" }).press("Space");
  assert.equal(await submitForm(page), 201);
  assert.deepEqual(await value("SETTINGS", "PRINT_HOLD_REQUESTS"), { printHoldRequestsEnabled: true });
  await page.goto(`${library.address}/desk/requests?view=pick`);
  await page.getByRole("heading", { name: "Search list" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

/** A mail server that takes everything from everybody, and what was said to it. */
function startMailServer(): Promise<{ port: number; said: string[]; server: Server }> {
  const said: string[] = [];
  const server = createServer((socket) => {
    let data = false;
    socket.write("220 sink\r\n");
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      for (const line of bytes.toString().split("\r\n").filter(Boolean)) {
        said.push(line);
        if (data && line !== ".") continue;
        data = line === "DATA";
        socket.write(data ? "354 go on\r\n" : line === "QUIT" ? "221 bye\r\n" : "250 fine\r\n");
      }
    });
  });
  return new Promise((done) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      done({ port: typeof address === "object" && address ? address.port : 0, said, server });
    });
  });
}

test("the mail server is set up and tried; its password is never shown", async () => {
  const sink = await startMailServer();
  const page = await library.visit();
  await openDesk(library, page, "/settings/mail-server");
  await page.getByRole("textbox", { name: "Server" }).fill("127.0.0.1");
  await page.getByRole("textbox", { name: "Port" }).fill("1");
  await page.getByRole("textbox", { name: "Sender" }).fill("Desk <desk@library.example>");
  await choose(page, /After the greeting \(STARTTLS\)$/, "Never");
  await choose(page, /It logs in$/, "Where the server offers it");
  await page.getByRole("textbox", { name: "User name" }).fill("desk");
  await page.getByLabel("Password").fill("Kept-secret-1");
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await submitForm(page), 201);
  await page.getByText("There is one. Empty: it stays as it is.").waitFor();
  await waitUntilEqual(() => page.getByLabel("Password").inputValue(), "");

  const trial = page.getByRole("region", { name: "A test e-mail" });
  await trial.getByLabel("To").fill("somebody@library.example");
  await trial.getByRole("button", { name: "Send a test e-mail" }).press("Enter");
  await trial.getByText("The e-mail could not be sent.").waitFor();
  assert.deepEqual(await axeViolations(page), []);

  await page.reload();
  await page.getByRole("textbox", { name: "Port" }).fill(`${sink.port}`);
  await waitUntilEqual(() => page.getByLabel("Password").inputValue(), "");
  assert.equal((await page.content()).includes("Kept-secret-1"), false);
  assert.equal(await submitForm(page), 204);
  const { smtpConfigurations } = await library.call<{ smtpConfigurations: { password: string; port: number }[] }>(
    "/smtp-configuration",
  );
  assert.deepEqual(
    smtpConfigurations.map(({ password, port }) => [password, port]),
    [["(secret, not shown)", sink.port]],
  );
  await trial.getByLabel("To").fill("somebody@library.example");
  await pressButton(page, "Send a test e-mail");
  await trial.getByText("The mail server has taken the e-mail to somebody@library.example.").waitFor();
  assert.ok(sink.said.some((line) => line.includes("E-mails of the library arrive.")));
  sink.server.close();
});

test("who may only read the settings of the library changes none", async () => {
  await createStaff(library, "looker", [
    "configuration.entries.collection.get",
    "inventory-storage.loan-types.item.put",
  ]);
  const page = await library.visit();
  await signInAs(library, page, "looker", "/settings");
  await page.getByRole("link", { name: "Loan history" }).press("Enter");
  await page.getByText("Your account may look at this, but not change it.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  assert.equal(await page.getByRole("link", { name: "Mail server" }).count(), 0);
});

test("nothing is cut off at a phone", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await enterDesk(library, page);
  for (const path of ["language-and-region", "title-requests", "mail-server", "patron-groups", "statistical-codes"]) {
    await page.goto(`${library.address}/desk/settings/${path}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await checkPage(page, path);
  }
});
