/** A visit as a whole: what is overridden for it, and what the patron takes home on paper. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  axeViolations,
  createStaff,
  enterDesk,
  type Library,
  openDesk,
  openLibrary,
  type Page,
  pressButton,
  row,
  scan,
  signInAs,
  waitForFocus,
  waitUntilQuiet,
} from "./library.ts";

const FREYA = "27001000000445";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

interface CheckedOut {
  action: string;
  actionComment?: string;
  item: { barcode: string };
}

const cql = (query: string) => encodeURIComponent(query);

const patron = async (barcode: string) => {
  const { users } = await library.call<{ users: { id: string }[] }>(`/users?query=${cql(`barcode=="${barcode}"`)}`);
  return users[0]?.id ?? "";
};

/** A block that staff have written against borrowing and renewing. */
async function createBlock(userId: string, desc: string): Promise<() => Promise<unknown>> {
  const id = crypto.randomUUID();
  const about = { type: "Manual", desc, borrowing: true, renewals: true, requests: false };
  await library.call("/manualblocks", { id, userId, ...about });
  return () => library.call(`/manualblocks/${id}`, undefined, "DELETE");
}

/** What would be printed is kept as the window's name. */
async function watchPrinting(page: Page): Promise<() => Promise<string>> {
  await page.addInitScript(() => {
    window.print = () => {
      document.title = document.querySelector("article.slip")?.textContent ?? "";
    };
  });
  return () => page.title();
}

const field = (page: Page) => waitForFocus(page, page.getByRole("textbox", { name: "Item barcode" }));

test("blocks are overridden for a visit with one reason, until it is ended, and what was done is printed", async (t) => {
  const userId = await patron(FREYA);
  t.after(await createBlock(userId, "Owes an apology"));
  const [first = "", second = "", third = ""] = (await library.lendable()).slice(-3);
  const page = await library.visit();
  const printed = await watchPrinting(page);
  await enterDesk(library, page);
  await scan(page, FREYA);
  await pressButton(page, "Override for this visit");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Agreed with the head of circulation");
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole("button", { name: "Override", exact: true }).press("Enter");
  await page.getByText("Overridden for the visit of Freya Nielsen: patron blocks.").waitFor();
  await field(page);
  await scan(page, first, second);
  for (const barcode of [first, second]) await row(page, barcode).getByText(/^due /).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const query = cql(`userId=="${userId}" and status.name=="Open"`);
  const { loans } = await library.call<{ loans: CheckedOut[] }>(`/circulation/loans?limit=100&query=${query}`);
  assert.deepEqual(
    loans
      .filter(({ item }) => [first, second].includes(item.barcode))
      .map(({ action, actionComment }) => [action, actionComment]),
    Array(2).fill(["checkedOutThroughOverride", "Agreed with the head of circulation"]),
  );

  // The bar stands above every page, and ends it.
  await page.keyboard.press("Alt+r");
  await page.getByRole("grid").waitFor();
  await page.getByText("Overridden for the visit of Freya Nielsen").waitFor();
  await page.keyboard.press("Alt+o");
  await pressButton(page, "End override");
  await page.getByText("Overridden for the visit").waitFor({ state: "detached" });
  await page.getByRole("textbox", { name: "Item barcode" }).focus();
  await scan(page, third);
  await row(page, third).getByRole("button", { name: "Override", exact: true }).waitFor();

  // One of them is taken back: it is on no receipt.
  await row(page, second).getByRole("button", { name: /^Undo/ }).press("Enter");
  await row(page, second).getByText("undone").waitFor();
  await pressButton(page, "Receipt");
  await page.waitForFunction(() => document.title.includes("Checked out to you"));
  const receipt = await printed();
  assert.ok(receipt.includes(first) && !receipt.includes(second) && !receipt.includes(third), receipt);
});

test("the override of a visit is offered to nobody who may not override", async () => {
  await createStaff(library, "lender", [
    "users.collection.get",
    "manualblocks.collection.get",
    "circulation.check-out-by-barcode.post",
    "circulation.loans.collection.get",
  ]);
  const page = await library.visit();
  await signInAs(library, page, "lender", "/check-out");
  await page.locator("main input:focus").waitFor();
  await scan(page, FREYA);
  await page.getByRole("complementary", { name: "Freya Nielsen" }).waitFor();
  await waitUntilQuiet(page);
  assert.equal(await page.getByRole("button", { name: "Override for this visit" }).count(), 0);
});

test("each patron of a pile has a receipt of their own, also when the pile is over", async () => {
  const [mine = "", theirs = ""] = (await library.lendable()).slice(0, 2);
  const amara = "27001000000015";
  for (const [itemBarcode, userBarcode] of [
    [mine, FREYA],
    [theirs, amara],
  ]) {
    const servicePointId = "33154e2e-7bf2-585b-9b21-e1dafd383e05";
    await library.call("/circulation/check-out-by-barcode", { itemBarcode, userBarcode, servicePointId });
  }
  const page = await library.visit();
  const printed = await watchPrinting(page);
  await enterDesk(library, page, "/check-in");
  await field(page);
  await scan(page, mine, theirs);
  await page.getByRole("button", { name: "Receipt: Amara Okafor (1)" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("textbox", { name: "Item barcode" }).press("Escape");
  await page.getByText("2 items were checked in.").waitFor();
  await pressButton(page, "Receipt: Freya Nielsen (1)");
  await page.waitForFunction(() => document.title.includes("Returned by you"));
  const receipt = await printed();
  assert.ok(receipt.includes(mine) && receipt.includes("Nielsen"), receipt);
  assert.ok(!receipt.includes(theirs) && !receipt.includes("Okafor"), receipt);
});

test("a renewal is on a receipt, and what is owed on a statement", async () => {
  const userId = await patron(FREYA);
  const [barcode = ""] = (await library.lendable()).slice(3);
  const servicePointId = "33154e2e-7bf2-585b-9b21-e1dafd383e05";
  await library.call("/circulation/check-out-by-barcode", {
    itemBarcode: barcode,
    userBarcode: FREYA,
    servicePointId,
    loanDate: new Date(Date.now() - 3 * 86_400_000).toISOString(),
  });
  const page = await library.visit();
  const printed = await watchPrinting(page);
  await openDesk(library, page, `/patrons/${userId}`);
  await row(page, barcode)
    .getByRole("button", { name: /^Renew: / })
    .press("Enter");
  await page.getByRole("button", { name: "Receipt", exact: true }).press("Enter");
  await page.waitForFunction(() => document.title.includes("Renewed for you"));
  assert.ok((await printed()).includes(barcode), await printed());

  const { feefines } = await library.call<{ feefines: { id: string; feeFineType: string }[] }>("/feefines?limit=50");
  const { owners } = await library.call<{ owners: { id: string; owner: string }[] }>("/owners");
  await library.call("/accounts", {
    id: crypto.randomUUID(),
    userId,
    ownerId: owners[0]?.id,
    feeFineOwner: owners[0]?.owner,
    feeFineId: feefines[0]?.id,
    feeFineType: feefines[0]?.feeFineType,
    amount: 7.5,
    remaining: 7.5,
    status: { name: "Open" },
    paymentStatus: { name: "Outstanding" },
  });
  await page.goto(`${library.address}/desk/patrons/${userId}?show=fees`);
  await page.getByRole("button", { name: "Print statement", exact: true }).press("Enter");
  await page.waitForFunction(() => document.title.includes("Statement of fees/fines"));
  assert.match(await printed(), /Total owed: .*7\.50/);
});
