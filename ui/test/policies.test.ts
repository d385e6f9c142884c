/**
 * Policies: list, create, refusals at the field, edit, no deletion while the rules refer to them; by keyboard alone.
 */

import assert from "node:assert/strict";
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
  signInAs,
  submitForm,
  waitUntilEqual,
} from "./library.ts";

const THREE_WEEKS = "058327ca-5f61-5120-85d2-095e0a5eb877";
const LOANS_OUT = "3d7c52dc-c732-4223-8bf8-e5917801386f";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

/** One of a list, by keyboard: its button is named by its choice and its label. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`${label}$`) }).press("Enter");
  await page.getByRole("option", { name: option, exact: true }).press("Enter");
}

interface LoanPolicy {
  id: string;
  name: string;
  loansPolicy?: Record<string, unknown>;
  renewalsPolicy?: Record<string, unknown>;
}

const policyNamed = async (name: string) => {
  const path = "/loan-policy-storage/loan-policies?limit=100";
  return (await library.call<{ loanPolicies: LoanPolicy[] }>(path)).loanPolicies.find((one) => one.name === name);
};

test("a loan policy is made: only what applies is asked, and what is wrong is said at its field", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await page.keyboard.press("Alt+s");
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("link", { name: "Loan policies" }).press("Enter");
  await page.getByText("3 weeks · renewed 2 times").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("link", { name: "New loan policy" }).press("Enter");

  await page.getByRole("textbox", { name: "Name" }).fill("Two nights");
  await page.getByRole("textbox", { name: "Loan period", exact: true }).fill("2");
  await choose(page, "Loan period: Unit", "Days");
  await page.getByRole("checkbox", { name: "Can be renewed", exact: true }).press("Space");
  await page.getByLabel("Number of renewals allowed").waitFor({ state: "detached" });
  await page.getByLabel("Item limit").fill("10000");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByText("At most 9999.").first().waitFor();
  assert.equal(await page.getByLabel("Item limit").getAttribute("aria-invalid"), "true");
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-invalid") === "true");
  assert.deepEqual(await axeViolations(page), []);

  await page.getByLabel("Item limit").fill("4");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.waitForURL(/loan-policies\/[0-9a-f-]{36}$/);
  await page.getByText("The circulation rules do not use it.").waitFor();
  const stored = await policyNamed("Two nights");
  assert.deepEqual(stored?.loansPolicy, {
    profileId: "Rolling",
    period: { duration: 2, intervalId: "Days" },
    closedLibraryDueDateManagementId: "CURRENT_DUE_DATE",
    itemLimit: 4,
  });
  assert.equal(stored?.renewalsPolicy, undefined);

  await choose(page, "Loan profile", "Fixed: on the day of a schedule");
  await page.getByRole("textbox", { name: "Loan period", exact: true }).waitFor({ state: "detached" });
  await choose(page, "Schedule", "End of term");
  assert.ok((await submitForm(page)) < 300);
  await page.getByText("Saved.").first().waitFor();
  assert.equal((await policyNamed("Two nights"))?.loansPolicy?.period, undefined);

  await pressButton(page, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
  await page.waitForURL(/loan-policies$/);
  await page.getByRole("link", { name: "Three weeks, two renewals" }).waitFor();
  assert.equal(await policyNamed("Two nights"), undefined);
});

test("a policy that the rules name says in which lines, and stays", async () => {
  const page = await library.visit();
  await openDesk(library, page, `/settings/loan-policies/${THREE_WEEKS}`);
  await page.getByText("Used in line 5 of the circulation rules.").waitFor();
  await page.getByText("remove it from the rules before deleting it").waitFor();
  assert.equal(await page.getByRole("button", { name: "Delete" }).count(), 0);
  assert.deepEqual(await axeViolations(page), []);
});

test("notices of a notice policy ask for what their event needs", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/notice-policies/new");
  await page.getByRole("textbox", { name: "Name" }).fill("A word beforehand");
  await pressButton(page, "Add a notice");
  const notice = page.getByRole("group", { name: "Notice 1" });
  await notice.waitFor();
  assert.equal(await notice.getByText("Time before or after").count(), 0);
  await choose(page, "Template", "Reminder three days before the due date");
  await choose(page, "Triggering event", "Due date");
  await choose(page, "When", "Before");
  await notice.getByRole("textbox", { name: "Time before or after" }).fill("2");
  await choose(page, "Frequency", "One time");
  assert.equal(await notice.getByText("Every", { exact: true }).count(), 0);
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.waitForURL(/notice-policies\/[0-9a-f-]{36}$/);
  const id = page.url().split("/").at(-1);
  const stored = await library.call<{ loanNotices: { sendOptions: object }[] }>(
    `/patron-notice-policy-storage/patron-notice-policies/${id}`,
  );
  assert.deepEqual(stored.loanNotices[0]?.sendOptions, {
    sendHow: "Before",
    sendWhen: "Due date",
    sendBy: { duration: 2, intervalId: "Days" },
  });
});

test("the other policies are there, with their fields", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  for (const [list, name] of [
    ["request-policies", "Page, hold and recall"],
    ["overdue-fine-policies", "Twenty cents a day"],
    ["lost-item-fee-policies", "Lost after six weeks overdue"],
    ["due-date-schedules", "End of term"],
  ]) {
    await page.goto(`${library.address}/desk/settings/${list}`);
    await page.getByRole("link", { name: name ?? "" }).press("Enter");
    await page.getByRole("heading", { name: name ?? "", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Save" }).waitFor();
    assert.deepEqual(await axeViolations(page), [], list);
  }
});

test("a limit blocks who has reached it, with what they are told", async () => {
  const page = await library.visit();
  await openDesk(library, page, `/settings/limits/${LOANS_OUT}`);
  await page.getByRole("checkbox", { name: "Borrowing" }).press("Space");
  await page.getByRole("button", { name: "Save", exact: true }).press("Enter");
  await page.getByText("Enter the message.").first().waitFor();
  await page.getByLabel("Message to staff and patrons").fill("No more than a hundred at a time.");
  assert.ok((await submitForm(page)) < 300);
  await page.getByText("Saved.").first().waitFor();
  await page.getByLabel("faculty").fill("100");
  assert.equal(await submitForm(page, "Save limits"), 201);
  await page.getByRole("button", { name: "Save limits" }).and(page.locator("[disabled]")).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const { patronBlockLimits } = await library.call<{ patronBlockLimits: { value: number; conditionId: string }[] }>(
    "/patron-block-limits",
  );
  assert.deepEqual(
    patronBlockLimits.map(({ value, conditionId }) => [value, conditionId]),
    [[100, LOANS_OUT]],
  );
  const condition = await library.call<{ message: string; blockBorrowing: boolean }>(
    `/patron-block-conditions/${LOANS_OUT}`,
  );
  assert.equal(condition.blockBorrowing, true);
  assert.equal(condition.message, "No more than a hundred at a time.");
});

test("who may only look is shown no way to change; who may not look finds no settings, and begins where they may work", async () => {
  const look = ["circulation-storage.loan-policies.collection.get", "circulation-storage.loan-policies.item.get"];
  await createStaff(library, "onlooker", [...look, "circulation.rules.get"]);
  const page = await library.visit();
  await signInAs(library, page, "onlooker", `/settings/loan-policies/${THREE_WEEKS}`);
  await page.getByText("Your account may look at this, but not change it.").waitFor();
  await waitUntilEqual(() => page.getByRole("textbox", { name: "Name" }).isDisabled(), true);
  assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  assert.deepEqual(await axeViolations(page), []);
  await page.goto(`${library.address}/desk/settings`);
  await page.getByRole("link", { name: "Loan policies" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Request policies" }).count(), 0);

  await createStaff(library, "clerk", ["circulation.check-out-by-barcode.post", "users.collection.get"]);
  const other = await library.visit();
  // With few permissions one begins at a page that one may use.
  await signInAs(library, other, "clerk", "");
  await other.waitForURL(/\/desk\/check-out$/);
  await createStaff(library, "cataloguer", ["search.instances.collection.get"]);
  const third = await library.visit();
  await signInAs(library, third, "cataloguer", "");
  await third.waitForURL(/\/desk\/inventory$/);
  await third.getByLabel("Find a title").waitFor();
  await third.goto(`${library.address}/desk/check-out`);
  await third.getByText("Your account may not use this: Check out.").waitFor();
  assert.deepEqual(await axeViolations(third), []);
  await other.goto(`${library.address}/desk/settings/loan-policies`);
  await other.getByText("Your account may not use this: Loan policies.").waitFor();
  assert.deepEqual(await other.getByRole("navigation", { name: "Octavo" }).getByRole("link").allTextContents(), [
    "Check out",
    "Patrons",
  ]);
});

test("nothing is cut off at a phone, in German either", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await enterDesk(library, page);
  await page.evaluate(() => {
    localStorage.setItem("octavo.preferences", JSON.stringify({ language: "de" }));
  });
  for (const path of ["", "/loan-policies", `/loan-policies/${THREE_WEEKS}`, `/limits/${LOANS_OUT}`]) {
    await page.goto(`${library.address}/desk/settings${path}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await checkPage(page, path);
  }
});
