/** Templates written with tokens and tried on a real loan; slips; what became of each patron notice. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LOOPS, SLIP_TOKENS, tokensOf } from "../src/settings/notices/tokens.ts";
import {
  axeViolations,
  checkPage,
  type Library,
  openDesk,
  openLibrary,
  submitForm,
  waitUntilEqual,
} from "./library.ts";

const RECEIPT = "f192568f-f53e-5c47-b3ed-637abc7efc59";
const HOLD_SLIP = "6a6e72f0-69da-4b4c-8254-7154679e9d88";
const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

interface Template {
  name?: string;
  localizedTemplates: { en: { header: string; body: string } };
}

const loadTemplate = () => library.call<Template>(`/templates/${RECEIPT}`);

/** Waits until a notice to the patron is decided, which happens shortly after the check-out. */
async function waitForNotice(recipientId: string): Promise<void> {
  const path = `/notice-ledger/notices?query=${encodeURIComponent(`recipientId==${recipientId}`)}`;
  for (let tries = 0; tries < 100; tries++) {
    const { notices } = await library.call<{ notices: { status: string }[] }>(path);
    if (notices.some(({ status }) => status === "Not sent")) return;
    await new Promise((later) => setTimeout(later, 100));
  }
  assert.fail("no notice was decided");
}

test("a template is tried while it is written; what cannot be read is said at its field", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/templates");
  await page.getByRole("link", { name: "What was lent, sent after check-out" }).press("Enter");
  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByText(/^You have borrowed:$/).waitFor();
  assert.deepEqual(await axeViolations(page), []);

  const body = page.getByRole("textbox", { name: "Text" });
  await body.fill("<p>Hello {{user.firstname}}</p>");
  await preview.getByText("Nothing fills these in: user.firstname.").waitFor();
  await body.fill("<p>Hello </p>");
  await body.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(9, 9));
  await page.getByText("Patron", { exact: true }).press("Enter");
  await page.getByRole("button", { name: "user.firstName" }).press("Enter");
  await waitUntilEqual(() => body.inputValue(), "<p>Hello {{user.firstName}}</p>");
  await preview.getByText(/^Hello \w+/).waitFor();
  assert.deepEqual(await axeViolations(page), []);

  await body.fill("<p>Hello\n{{#loans}}</p>");
  await preview.getByText("Line 2, column 1: {{#loans}} is not closed.").waitFor();
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "body");
  assert.equal(await body.getAttribute("aria-invalid"), "true");
  assert.deepEqual(await axeViolations(page), []);
  await body.fill("<p>Hello {{user.firstName}}</p>");
  await page.getByRole("textbox", { name: "Name" }).fill("Receipt");
  assert.ok((await submitForm(page)) < 300);
  await page.getByText("Saved.").first().waitFor();
  assert.equal((await loadTemplate()).localizedTemplates.en.body, "<p>Hello {{user.firstName}}</p>");
  assert.equal((await loadTemplate()).name, "Receipt");
});

test("the server knows every token that is offered", async () => {
  const { loans } = await library.call<{ loans: { id: string }[] }>("/circulation/loans?limit=1");
  for (const category of ["Loan", "Request", "FeeFineCharge", "FeeFineAction"] as const) {
    const tokens = tokensOf(category).flatMap(({ tokens }) => tokens);
    const loop = LOOPS[category];
    const body = tokens.map((token) => `{{${token}}}`).join(" ") + (loop ? `{{#${loop}}}{{/${loop}}}` : "");
    const { unknownTokens } = await library.call<{ unknownTokens: string[] }>("/notice-ledger/preview", {
      loanId: loans[0]?.id,
      header: "Tokens",
      body,
    });
    assert.deepEqual(unknownTokens, [], category);
  }
  assert.ok(SLIP_TOKENS.length > 0);
});

test("a staff slip is shown as it will be printed", async () => {
  const page = await library.visit();
  await openDesk(library, page, `/settings/staff-slips/${HOLD_SLIP}`);
  await page.getByText("the desk prints a plain slip").waitFor();
  await page.getByRole("textbox", { name: "Slip" }).fill("<h2>{{requester.lastName}}</h2><p>{{item.title}}</p>");
  await page.getByRole("heading", { name: "Byron" }).waitFor();
  await page.getByRole("article").getByText("Middlemarch").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  assert.ok((await submitForm(page)) < 300);
  await page.getByText("Saved.").first().waitFor();
});

test("every patron notice says what became of it and why, and is sent once more", async () => {
  const { users } = await library.call<{ users: { id: string; personal: object }[] }>(
    `/users?query=${encodeURIComponent('barcode=="27001000000445"')}`,
  );
  const [freya] = users;
  // Without an address no notice can be sent.
  const unreachable = { ...freya, personal: { ...freya?.personal, email: undefined } };
  await library.call(`/users/${freya?.id}`, unreachable, "PUT");
  await library.call("/circulation/check-out-by-barcode", {
    itemBarcode: "37001000000096",
    userBarcode: "27001000000445",
    servicePointId: HARBOUR,
  });
  await library.call("/circulation/end-patron-action-session", {
    endSessions: [{ actionType: "Check-out", patronId: freya?.id }],
  });
  await waitForNotice(freya?.id ?? "");
  await library.call(`/users/${freya?.id}`, freya, "PUT");
  const page = await library.visit();
  await openDesk(library, page, "/settings/notices?query=27001000000445");
  const link = page.getByRole("link", { name: /Freya/ }).first();
  await link.waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await link.press("Enter");
  await page.getByText("the patron has no e-mail address").waitFor();
  await page.getByText("Receipt, reminder and overdue notices").waitFor();
  await page.getByText(/line \d+ of the circulation rules/).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const first = page.url();
  await page.getByRole("button", { name: "Send once more" }).press("Enter");
  await page.getByRole("link", { name: "The notice that this one repeats" }).waitFor();
  assert.notEqual(page.url(), first);
});

test("the list of patron notices keeps its state in the address", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await openDesk(library, page, "/settings/notices?status=Failed");
  await page.getByText("There is none.").waitFor();
  await page.getByRole("button", { name: /State$/ }).press("Enter");
  await page.getByRole("option", { name: "All", exact: true }).press("Enter");
  await page.waitForURL(/notices$/);
  await page.goto(`${library.address}/desk/settings/letters?status=Failed`);
  await page.waitForURL(/settings\/notices\?status=Failed$/);
  await page.getByText("There is none.").waitFor();
  for (const path of ["notices", "templates", `templates/${RECEIPT}`, `staff-slips/${HOLD_SLIP}`]) {
    await page.goto(`${library.address}/desk/settings/${path}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await checkPage(page, path);
  }
});
