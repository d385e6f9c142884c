/** Patrons, their loans, fees and blocks, by keyboard alone. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import {
  axeViolations,
  checkPage,
  enterDesk,
  findOverflowing,
  type Library,
  openDesk,
  openLibrary,
  pressButton,
  row,
  scan,
  waitForFocus,
} from "./library.ts";

const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

interface Loan {
  id: string;
  userId: string;
  dueDate: string;
  item: { barcode: string; title: string };
}

const patrons = async (query: string) =>
  (await library.call<{ users: { id: string }[] }>(`/users?query=${encodeURIComponent(query)}`)).users;

const loans = async (query: string) =>
  (await library.call<{ loans: Loan[] }>(`/circulation/loans?limit=50&query=${encodeURIComponent(query)}`)).loans;

test("a patron is found by name; the address keeps the search", async () => {
  const page = await library.visit();
  await enterDesk(library, page, "/patrons");
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.type("oka ama");
  await page.getByRole("link", { name: "Amara Okafor" }).waitFor();
  await page.waitForURL(/query=oka\+ama/);
  assert.deepEqual(await axeViolations(page), []);
  await page.reload();
  await page.getByRole("link", { name: "Amara Okafor" }).press("Enter");
  await page.getByRole("heading", { name: "Amara Okafor" }).waitFor();
  await page.getByRole("tab", { name: /^Loans/ }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("a loan is renewed, moved to another day, explained and undone", async () => {
  const [loan] = await loans(`status.name=="Open" and dueDate>"${new Date().toISOString()}" sortBy dueDate`);
  assert.ok(loan);
  const page = await library.visit();
  await openDesk(library, page, `/patrons/${loan.userId}`);
  const title = loan.item.title;
  const one = row(page, loan.item.barcode);
  await one.waitFor();
  await pressButton(page, `More: ${title}`);
  await page.getByRole("menuitem", { name: "Change due date" }).press("Enter");
  await page.getByLabel("Due date").fill("2027-02-03");
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Change due date" }).press("Enter");
  await one.getByText("due Wed, Feb 3, 2027").waitFor();
  await pressButton(page, `Undo: ${title}`);
  await one.getByText("due Wed, Feb 3, 2027").waitFor({ state: "detached" });
});

test("what was lent is undone from the patron's page after the visit has ended", async () => {
  const [freya] = await patrons('barcode=="27001000000445"');
  const { id } = await library.call<Loan>("/circulation/check-out-by-barcode", {
    itemBarcode: "37001000000765",
    userBarcode: "27001000000445",
    servicePointId: HARBOUR,
  });
  const endSessions = [{ patronId: freya?.id, actionType: "Check-out" }];
  await library.call("/circulation/end-patron-action-session", { endSessions });
  const page = await library.visit();
  await openDesk(library, page, `/patrons/${freya?.id}`);
  await row(page, "37001000000765").waitFor();
  await pressButton(page, "Undo: Das Leben der Anderen");
  await row(page, "37001000000765").waitFor({ state: "detached" });
  assert.deepEqual(await loans(`id==${id}`), []);
});

test("an overdue fine is paid, in part and then whole, with a receipt", async () => {
  const [late] = await loans('status.name=="Open" sortBy dueDate');
  assert.ok(late);
  await library.call("/circulation/check-in-by-barcode", {
    itemBarcode: late.item.barcode,
    servicePointId: HARBOUR,
    checkInDate: new Date().toISOString(),
  });
  const page = await library.visit();
  await page.addInitScript(() => {
    window.print = () => {
      document.title = document.querySelector("article.slip")?.textContent ?? "";
    };
  });
  await openDesk(library, page, `/patrons/${late.userId}?show=fees`);
  await row(page, "Overdue fine").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "Pay");
  const amount = page.getByRole("textbox", { name: "Amount" });
  const most = await amount.inputValue();
  await amount.fill("99");
  await page.getByRole("dialog").getByRole("button", { name: "Pay", exact: true }).press("Enter");
  await page.getByRole("dialog").locator(".error").getByText(`That is too much: at most $${most}`).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await amount.fill("a lot");
  await page.getByRole("dialog").getByRole("button", { name: "Pay", exact: true }).press("Enter");
  await page.getByText("An amount in digits, such as 1.40").waitFor();
  // Half of the world writes it so.
  await amount.fill("1,50");
  await page.getByRole("button", { name: /Payment method.*Cash|Cash.*Payment method/ }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("dialog").getByRole("button", { name: "Pay", exact: true }).press("Enter");
  await page.getByRole("heading", { name: "$1.50 paid" }).waitFor();
  await page.getByRole("button", { name: "Receipt", exact: true }).press("Enter");
  await page.waitForFunction(() => document.title.includes("$1.50 paid"));
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().press("Enter");
  await row(page, "Overdue fine").getByText("Paid partially").waitFor();
  await pressButton(page, "Pay");
  await page.getByRole("button", { name: /Cash/ }).waitFor();
  // Meanwhile somebody else takes a part of it.
  const { accounts } = await library.call<{ accounts: { id: string }[] }>(
    `/accounts?query=${encodeURIComponent(`loanId==${late.id}`)}`,
  );
  await library.call(`/accounts/${accounts[0]?.id}/waive`, {
    amount: "0.10",
    paymentMethod: "Goodwill",
    notifyPatron: false,
    servicePointId: HARBOUR,
    userName: "Somebody else",
  });
  await page.getByRole("dialog").getByRole("button", { name: "Pay", exact: true }).press("Enter");
  await page.getByRole("alert").getByText("That is more than is still owed.").waitFor();
  assert.equal(await page.getByText("accountIds").count(), 0);
  await page.getByRole("button", { name: "Cancel" }).press("Enter");
  await page.reload();
  await row(page, "Overdue fine").getByText(/of \$/).waitFor();
  await pressButton(page, "Pay");
  await page.getByRole("button", { name: /Cash/ }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Pay", exact: true }).press("Enter");
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().press("Enter");
  await page.getByText("owes nothing").waitFor();
});

test("a block that staff set stands in the way at once, and goes when it is removed", async () => {
  const { users } = await library.call<{ users: { id: string; barcode: string }[] }>(
    `/users?query=${encodeURIComponent('barcode=="27001000000445"')}`,
  );
  const [freya] = users;
  const page = await library.visit();
  await openDesk(library, page, `/patrons/${freya?.id}?show=blocks`);
  await pressButton(page, "Add a block");
  await waitForFocus(page, page.getByRole("textbox"));
  await page.keyboard.type("Card found, ask for papers");
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await row(page, "Card found, ask for papers").waitFor();
  await page.keyboard.press("Alt+o");
  await page.locator("main input:focus").waitFor();
  await scan(page, "27001000000445");
  await page.getByText("Block: Card found, ask for papers").waitFor();
  await scan(page, "37001000000096");
  await row(page, "37001000000096").getByText("Patron blocked from borrowing").waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("a name of one long word stays in its box, wherever it is shown", async () => {
  const lastName = "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswessenschafe";
  const long = { id: randomUUID(), barcode: "27001000009999", active: true, personal: { lastName, email: "w@x.org" } };
  await library.call("/users", long);
  for (const width of [1280, 375]) {
    const page = await library.visit({ width, height: 800 });
    await enterDesk(library, page);
    await scan(page, long.barcode);
    await page.getByRole("heading", { name: lastName }).waitFor();
    assert.deepEqual(await findOverflowing(page), [], `check-out, ${width}`);
    for (const path of [`/patrons/${long.id}`, "/patrons?query=wolfeschl"]) {
      await page.goto(`${library.address}/desk${path}`);
      await page.locator("main .who").first().waitFor();
      assert.deepEqual(await findOverflowing(page), [], `${path}, ${width}`);
    }
  }
});

test("nothing is cut off at a phone", async () => {
  const [loan] = await loans('status.name=="Open" sortBy dueDate');
  const page = await library.visit({ width: 375, height: 740 });
  await enterDesk(library, page);
  for (const path of ["/patrons?query=a", `/patrons/${loan?.userId}`, `/patrons/${loan?.userId}?show=fees`]) {
    await page.goto(`${library.address}/desk${path}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await checkPage(page, path);
  }
});
