/**
 * The number of key presses of each task, from the first page after signing in to its end, each really made: a typed
 * text and a scan count as one, `Tab` as none. The numbers are in `docs/desk.md`, under the name of the task.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { tabTo } from "./keyboard.ts";
import { enterDesk, type Library, type Locator, openLibrary, type Page, row, scan, waitForFocus } from "./library.ts";
import { createHoldings, createItem, createTitle } from "./records.ts";

const FREYA = "27001000000445";
const AMARA = "27001000000015";
const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";
const DOCUMENT = join(import.meta.dirname, "../../../docs/desk.md");

let library: Library;
let copies: string[];
before(async () => {
  library = await openLibrary();
  copies = await library.lendable();
});
after(() => library?.close());

/** Two hands at the keyboard, and somebody who counts. */
class Hands {
  presses = 0;
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }
  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
    this.presses += keys.length;
  }
  async pressAt(target: Locator, key = "Enter"): Promise<void> {
    await tabTo(target);
    await this.press(key);
  }
  async type(text: string): Promise<void> {
    // At the speed of hands: what comes faster is taken for a scan.
    await this.page.keyboard.type(text, { delay: 100 });
    this.presses += 1;
  }
  async typeInto(field: Locator, text: string): Promise<void> {
    await tabTo(field);
    await this.type(text);
  }
  async scan(...barcodes: string[]): Promise<void> {
    await scan(this.page, ...barcodes);
    this.presses += barcodes.length;
  }
  /** Opens a list, types how one of it begins, and takes it. */
  async choose(list: Locator, beginning: string): Promise<void> {
    await this.pressAt(list);
    await this.page.locator('[role="option"]:focus').waitFor();
    await this.type(beginning);
    await this.press("Enter");
    await this.page.locator(".popover").waitFor({ state: "detached" });
  }
  /** By the box for anything to a page of the settings. */
  async goToSettings(name: string): Promise<void> {
    await this.press("Control+k");
    await waitForFocus(this.page, this.page.getByRole("combobox"));
    await this.type(name);
    await this.page.locator('[role="option"][aria-selected="true"]', { hasText: name }).waitFor();
    await this.page.getByText(/^\d+ found$/).waitFor();
    await this.press("Enter");
    await this.page.getByRole("region", { name }).waitFor();
  }
}

/** What the table of the document says a task takes. */
function said(task: string): number {
  const lines = readFileSync(DOCUMENT, "utf8").split("\n");
  const cells = lines.find((line) => line.startsWith(`| ${task} |`))?.split("|");
  assert.ok(cells, `${DOCUMENT} does not count: ${task}`);
  return Number(cells[2]);
}

function counts(task: string, work: (hands: Hands, page: Page) => Promise<void>): void {
  test(`${task}: as many presses as the document says`, async () => {
    const page = await library.visit();
    await page.addInitScript(() => {
      window.print = () => {
        document.title = document.querySelector("article.slip")?.textContent ?? "";
      };
    });
    await enterDesk(library, page);
    const hands = new Hands(page);
    await work(hands, page);
    assert.equal(hands.presses, said(task), task);
  });
}

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first();

counts("a user of the desk, with a role and a password", async (hands, page) => {
  const role = { displayName: "Lending desk", mutable: true, subPermissions: ["circulation.all"] };
  await library.call("/perms/permissions", role);
  await hands.press("Alt+p");
  await page.getByRole("searchbox").first().waitFor();
  await hands.press("Alt+n");
  await waitForFocus(page, field(page, "Last name"));
  await hands.type("Newman");
  await hands.typeInto(field(page, "User name"), "newman");
  await hands.choose(button(page, /Group$/), "staff");
  await hands.typeInto(field(page, "E-mail"), "newman@example.org");
  await hands.press("Enter");
  await page.getByRole("heading", { name: "Newman", exact: true }).waitFor();
  await hands.pressAt(page.getByRole("tab", { name: "Loans" }), "End");
  await hands.pressAt(button(page, "Assign a permission"));
  await waitForFocus(page, page.getByLabel("Find a role, set or permission"));
  await hands.type("Lending desk");
  await hands.pressAt(page.getByRole("dialog").getByRole("button", { name: /^Lending desk/ }));
  await page.getByText("role of this library").waitFor();
  await hands.pressAt(button(page, "Set a password"));
  const dialog = page.getByRole("dialog");
  await waitForFocus(page, dialog.getByLabel("New password"));
  await hands.type("Quite-l0ng-enough");
  await hands.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await library.call("/authn/login", { username: "newman", password: "Quite-l0ng-enough" });
});

counts("another loan period, tried on a patron and an item", async (hands, page) => {
  await hands.goToSettings("Loan policies");
  await hands.pressAt(page.getByRole("link", { name: "Three weeks, two renewals" }));
  await hands.typeInto(page.getByRole("textbox", { name: "Loan period", exact: true }), "4");
  await hands.press("Enter");
  await page.getByText("Saved.").first().waitFor();
  await hands.press("Alt+l");
  await page.getByLabel("Patron barcode").waitFor();
  await hands.typeInto(page.getByLabel("Patron barcode"), FREYA);
  await hands.typeInto(page.getByLabel("Item barcode"), copies[0] ?? "");
  await hands.press("Enter");
  await page
    .locator(".reasons > li", { hasText: /4 weeks/i })
    .first()
    .waitFor();
});

counts("a location", async (hands, page) => {
  await hands.goToSettings("Locations");
  await hands.press("Alt+n");
  await waitForFocus(page, field(page, "Name"));
  await hands.type("Harbour: Maps");
  await hands.typeInto(field(page, "Code"), "WH/HS/MAP");
  await hands.choose(button(page, /Library$/), "Harbour");
  await hands.choose(button(page, /Primary service point$/), "Harbour");
  await hands.press("Control+Enter");
  await page.waitForURL(/locations\/[0-9a-f-]{36}$/);
  const query = encodeURIComponent('code=="WH/HS/MAP"');
  const { locations } = await library.call<{ locations: { primaryServicePoint: string }[] }>(
    `/locations?query=${query}`,
  );
  assert.deepEqual(
    locations.map(({ primaryServicePoint }) => primaryServicePoint),
    [HARBOUR],
  );
});

counts("a template of a patron notice", async (hands, page) => {
  await hands.goToSettings("Patron notice templates");
  await hands.press("Alt+n");
  await waitForFocus(page, field(page, "Name"));
  await hands.type("Two days before");
  await hands.typeInto(field(page, "Subject"), "It is due soon");
  await hands.typeInto(field(page, "Text"), "<p>Hello {{user.firstName}}</p>");
  await hands.press("Control+Enter");
  await page.waitForURL(/templates\/[0-9a-f-]{36}$/);
});

counts("receipt after a visit with two items", async (hands, page) => {
  const lent = copies.splice(0, 2);
  await hands.scan(FREYA, ...lent);
  for (const barcode of lent) await row(page, barcode).getByText(/^due /).waitFor();
  await hands.pressAt(page.getByRole("button", { name: "Receipt", exact: true }));
  await page.waitForFunction(() => document.title.includes("Checked out to you"));
});

counts("receipt at check-in for one item", async (hands, page) => {
  const [itemBarcode = ""] = copies.splice(0, 1);
  await library.call("/circulation/check-out-by-barcode", { itemBarcode, userBarcode: FREYA, servicePointId: HARBOUR });
  await hands.press("Alt+i");
  await page.getByRole("heading", { level: 1, name: "Check in" }).waitFor();
  await page.locator(".scan input:focus").waitFor();
  await hands.scan(itemBarcode);
  await row(page, itemBarcode).getByText("To the shelf").waitFor();
  await hands.pressAt(button(page, /^Receipt: /));
  await page.waitForFunction(() => document.title.includes("Returned by you"));
});

counts("the last of a queue to its front", async (hands, page) => {
  const title = await createTitle(library, "Waited for by two");
  const shelf = await createHoldings(library, title, "Harbour: Fiction");
  const itemId = await createItem(library, shelf, "waited-for");
  await library.call("/circulation/check-out-by-barcode", {
    itemBarcode: "waited-for",
    userBarcode: "27001000000056",
    servicePointId: HARBOUR,
  });
  for (const barcode of [FREYA, AMARA]) {
    const { users } = await library.call<{ users: { id: string }[] }>(`/users?query=barcode==${barcode}`);
    await library.call("/circulation/requests", {
      requestType: "Hold",
      requestLevel: "Item",
      requestDate: new Date().toISOString(),
      requesterId: users[0]?.id,
      itemId,
      holdingsRecordId: shelf,
      instanceId: title,
      fulfillmentPreference: "Hold Shelf",
      pickupServicePointId: HARBOUR,
    });
  }
  await hands.press("Alt+t");
  await page.locator("main input[type=search]:focus").waitFor();
  await hands.type("waited for by two");
  await hands.pressAt(page.getByRole("link", { name: "Waited for by two" }));
  await hands.pressAt(button(page, "Drag: Okafor"), "Alt+Home");
  await page.getByText("Amara Okafor is now at position 1 of 2").waitFor();
});

/** At a machine that staff have set up, what its readers do. */
function countsAtMachine(task: string, work: (hands: Hands, page: Page) => Promise<void>): void {
  counts(task, async (hands, page) => {
    await page.goto(`${library.address}/desk/self`);
    const returns = page.getByRole("checkbox", { name: "Items can be returned here" });
    await tabTo(returns);
    await page.keyboard.press("Space");
    await tabTo(page.getByRole("button", { name: "Start self-check" }));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Welcome" }).waitFor();
    await page.locator(".scan input:focus").waitFor();
    await work(hands, page);
    await page.getByRole("heading", { name: "Welcome" }).waitFor();
  });
}

let borrowed: string[] = [];

/** The card of a reader, until the machine has greeted them. */
async function greeted(hands: Hands, page: Page): Promise<void> {
  await hands.scan(FREYA);
  await page.getByRole("heading", { name: "Hello Freya Nielsen" }).waitFor();
  await page.locator(".scan input:focus").waitFor();
}

countsAtMachine("at the self-check: borrow two items", async (hands, page) => {
  borrowed = copies.splice(0, 2);
  await greeted(hands, page);
  await hands.scan(...borrowed);
  await page
    .getByRole("list", { name: "Borrowed now" })
    .getByText(/^back by/)
    .nth(1)
    .waitFor();
  await hands.pressAt(button(page, "Finish"));
});

countsAtMachine("at the self-check: renew all that one has", async (hands, page) => {
  await greeted(hands, page);
  await hands.pressAt(button(page, "Renew all"));
  await page
    .getByText(/^renewed, back by|^cannot be renewed/)
    .nth(1)
    .waitFor();
  await hands.pressAt(button(page, "Finish"));
});

countsAtMachine("at the self-check: return two items", async (hands, page) => {
  await hands.pressAt(button(page, "Return items"));
  await page.locator(".scan input:focus").waitFor();
  await hands.scan(...borrowed);
  await page
    .getByText(/^Returned\./)
    .nth(1)
    .waitFor();
  await hands.pressAt(button(page, "Finish"));
});
