/** The cash drawer: opened with a count, closed with another, and FOLIO's report by days. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axeViolations, enterDesk, type Library, openDesk, openLibrary, waitUntilEqual } from "./library.ts";

const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

/** A patron pays a part of what they owe, at Harbour Library's desk. */
async function pay(amount: string, paymentMethod: string): Promise<void> {
  const query = encodeURIComponent('status.name=="Open"');
  const { accounts } = await library.call<{ accounts: { id: string; remaining: number }[] }>(
    `/accounts?limit=100&query=${query}`,
  );
  const account = accounts.find(({ remaining }) => remaining > Number(amount));
  await library.call(`/accounts/${account?.id}/pay`, {
    amount,
    paymentMethod,
    notifyPatron: false,
    servicePointId: HARBOUR,
    userName: "Somebody",
  });
}

/** So that there is something to pay in a fresh library. */
async function chargeFee(): Promise<void> {
  const { users } = await library.call<{ users: { id: string }[] }>("/users?query=barcode==27001000000445");
  const { owners } = await library.call<{ owners: { id: string; owner: string }[] }>("/owners?limit=1");
  const { feefines } = await library.call<{ feefines: { id: string; feeFineType: string }[] }>("/feefines?limit=1");
  await library.call("/accounts", {
    id: crypto.randomUUID(),
    userId: users[0]?.id,
    amount: 20,
    remaining: 20,
    status: { name: "Open" },
    paymentStatus: { name: "Outstanding" },
    feeFineId: feefines[0]?.id,
    feeFineType: feefines[0]?.feeFineType,
    ownerId: owners[0]?.id,
    feeFineOwner: owners[0]?.owner,
  });
}

test("a drawer is opened and closed with a count, and says what is missing", async () => {
  await chargeFee();
  const page = await library.visit();
  await enterDesk(library, page, "/check-in");
  await page.keyboard.press("Alt+m");
  await page.getByRole("heading", { name: "The drawer of Harbour Library desk" }).waitFor();
  await page.getByLabel("Money in the drawer now").fill("50");
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.press("Enter");
  await page.getByText(/^Open since .*, by /).waitFor();
  await pay("2.50", "Cash");
  await pay("4.00", "Credit card");
  await page.reload();
  await page.getByRole("row", { name: /^Cash \$2\.50/ }).waitFor();
  await page.getByRole("row", { name: /^Credit card \$4\.00/ }).waitFor();
  await waitUntilEqual(() => page.getByRole("checkbox", { name: "Cash" }).isChecked(), true);
  await waitUntilEqual(() => page.getByRole("checkbox", { name: "Credit card" }).isChecked(), false);
  await page.getByLabel("Counted").fill("52,00");
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.press("Enter");
  await page.getByText("$0.50 too little").waitFor();
  await page.getByRole("row", { name: /^Expected \$52\.50/ }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("the report by days has the payments of this service point, with sums", async () => {
  await chargeFee();
  await pay("1.25", "Cash");
  const page = await library.visit();
  await openDesk(library, page, "/drawer");
  const days = page.getByRole("region", { name: "Payments by days" });
  await days.getByRole("table", { name: "By payment method" }).getByRole("row", { name: /^Cash/ }).waitFor();
  const saved = page.waitForEvent("download");
  await days.getByRole("button", { name: "Save payments as CSV" }).press("Enter");
  assert.match((await saved).suggestedFilename(), /\.csv$/);
});
