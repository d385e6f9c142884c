/** What belongs to a patron beside their record: proxies, blocks and notes, by keyboard alone. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import {
  axeViolations,
  checkPage,
  enterByDoor,
  type Library,
  openLibrary,
  type Page,
  pressButton,
  row,
  scan,
  submitForm,
  waitForFocus,
  waitUntilEqual,
  waitUntilQuiet,
} from "./library.ts";

const FACULTY = "503a81cd-6c26-400f-b620-14c08943697c";
const FREYA = "27001000000445";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

async function createPatron(lastName: string, barcode: string): Promise<string> {
  const personal = { lastName, email: "somebody@example.org", preferredContactTypeId: "002" };
  const user = { id: randomUUID(), barcode, active: true, patronGroup: FACULTY, personal };
  await library.call("/users", user);
  return user.id;
}

/** A part of a patron's page. */
async function open(id: string, show: string): Promise<Page> {
  const page = await library.visit();
  await enterByDoor(library, page);
  await page.goto(`${library.address}/desk/patrons/${id}?show=${show}`);
  await page.getByRole("tabpanel").waitFor();
  return page;
}

const inDialog = (page: Page) => page.getByRole("dialog");

async function all<T>(path: string, collection: string, query: string): Promise<T[]> {
  return (await library.call<Record<string, T[]>>(`${path}?query=${encodeURIComponent(query)}`))[collection] ?? [];
}

test("a proxy is added by their card, borrows, gets an end, and is removed", async () => {
  const sponsor = await createPatron("Sponsor", "27009700000012");
  const page = await open(sponsor, "proxies");
  await page.getByText("Nobody borrows for this patron.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "Add a proxy");
  await waitForFocus(page, inDialog(page).getByRole("textbox", { name: "Who borrows for this patron" }));
  // The scanner's own Enter sends nothing.
  await scan(page, FREYA);
  await inDialog(page).getByText("Freya Nielsen").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await submitForm(page), 201);
  await row(page, "Freya Nielsen").getByText("The proxy may place requests").waitFor();
  assert.deepEqual(await axeViolations(page), []);

  await pressButton(page, "Add a proxy");
  await waitForFocus(page, inDialog(page).getByRole("textbox", { name: "Who borrows for this patron" }));
  await scan(page, FREYA);
  await inDialog(page).getByText("Freya Nielsen").waitFor();
  assert.equal(await submitForm(page), 422);
  await inDialog(page).getByText("These two are proxy and sponsor already.").waitFor();
  await page.keyboard.press("Escape");

  await pressButton(page, "Edit: Freya Nielsen");
  await inDialog(page).getByLabel("Until").fill("2030-06-30");
  await inDialog(page).getByText("The proxy may place requests").press("Space");
  await inDialog(page)
    .getByRole("button", { name: /Patron notices go to/ })
    .press("Enter");
  await page.getByRole("option", { name: "The proxy" }).press("Enter");
  assert.equal(await submitForm(page), 204);
  await row(page, "Freya Nielsen").getByText("until Sun, Jun 30, 2030").waitFor();
  interface Relation {
    requestForSponsor: string;
    notificationsTo: string;
    accrueTo: string;
  }
  const [relation] = await all<Relation>("/proxiesfor", "proxiesFor", `userId==${sponsor}`);
  assert.deepEqual(
    [relation?.requestForSponsor, relation?.notificationsTo, relation?.accrueTo],
    ["No", "Proxy", "Sponsor"],
  );
  // From the other end.
  await page.getByRole("link", { name: "Freya Nielsen" }).press("Enter");
  await page.getByRole("heading", { name: "Freya Nielsen" }).waitFor();
  await page.getByRole("tab", { name: "Proxies" }).press("Enter");
  await row(page, "Sponsor").waitFor();
  await pressButton(page, "Remove: Sponsor");
  await inDialog(page).getByRole("button", { name: "Remove" }).press("Enter");
  await row(page, "Sponsor").waitFor({ state: "detached" });
  assert.deepEqual(await all("/proxiesfor", "proxiesFor", `userId==${sponsor}`), []);
});

test("whoever borrows for their children sees what is out and owed on each one's card", async () => {
  const [parent, reader, owing] = [
    await createPatron("Parent", "27009700000101"),
    await createPatron("Reader", "27009700000102"),
    await createPatron("Owing", "27009700000103"),
  ];
  for (const userId of [reader, owing]) {
    const relation = { userId, proxyUserId: parent, status: "Active", notificationsTo: "Proxy" };
    await library.call("/proxiesfor", relation);
  }
  const copies = await library.lendable();
  const servicePointId = "33154e2e-7bf2-585b-9b21-e1dafd383e05";
  const [kept, late] = await Promise.all(
    copies.slice(0, 2).map((itemBarcode) => {
      const loan = { itemBarcode, userBarcode: "27009700000102", servicePointId };
      return library.call<{ id: string }>("/circulation/check-out-by-barcode", loan);
    }),
  );
  assert.ok(kept && late);
  const path = `/loan-storage/loans/${late.id}`;
  const stored = await library.call<object>(path);
  await library.call(path, { ...stored, dueDate: "2024-01-29T23:59:59.000Z" }, "PUT");
  const fee = { feeFineType: "Lost card", feeFineOwner: "Desk", amount: 4.5, remaining: 4.5, status: { name: "Open" } };
  const ids = { ownerId: randomUUID(), feeFineId: randomUUID(), userId: owing, id: randomUUID() };
  await library.call("/accounts", { ...fee, ...ids, paymentStatus: { name: "Outstanding" } });
  const page = await open(parent, "proxies");
  await row(page, "Reader").getByText("2 items on loan · 1 overdue").waitFor();
  await row(page, "Owing").getByText("no items on loan · owes $4.50").waitFor();
  // The other end is not told what their proxy has.
  await page.getByRole("link", { name: "Reader" }).press("Enter");
  await page.getByRole("heading", { name: "Reader" }).waitFor();
  await page.getByRole("tab", { name: "Proxies" }).press("Enter");
  await row(page, "Parent").waitFor();
  await waitUntilQuiet(page);
  assert.equal(await row(page, "Parent").getByText(/out$/).count(), 0);
});

interface Block {
  desc: string;
  code?: string;
  patronMessage?: string;
  expirationDate?: string;
  borrowing: boolean;
  renewals: boolean;
  requests: boolean;
}

test("a block is filled in from a template, changed, and removed", async () => {
  await library.call("/manual-block-templates", {
    name: "Lost card",
    code: "LC",
    blockTemplate: { desc: "Card lost", patronMessage: "Please come to the desk", borrowing: true, renewals: false },
  });
  const id = await createPatron("Careless", "27009700000020");
  const page = await open(id, "blocks");
  await pressButton(page, "Add a block");
  await inDialog(page)
    .getByRole("button", { name: /From a template|Fill in from a template/ })
    .press("Enter");
  await page.getByRole("option", { name: "Lost card" }).press("Enter");
  await waitUntilEqual(() => inDialog(page).getByRole("textbox", { name: "Description" }).inputValue(), "Card lost");
  await inDialog(page).getByLabel("Until").fill("2030-06-30");
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await submitForm(page), 201);
  await row(page, "Card lost").getByText("To the patron: Please come to the desk").waitFor();
  await row(page, "Card lost").getByText("until Sun, Jun 30, 2030").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const stored = async () => (await all<Block>("/manualblocks", "manualblocks", `userId==${id}`))[0];
  const first = await stored();
  assert.deepEqual([first?.code, first?.borrowing, first?.renewals, first?.requests], ["LC", true, false, true]);

  await pressButton(page, "Edit: Card lost");
  for (const what of ["borrowing", "requests"]) await inDialog(page).getByText(what, { exact: true }).press("Space");
  await inDialog(page).getByRole("button", { name: "Save" }).press("Enter");
  await inDialog(page).getByText("Say what it blocks").waitFor();
  await inDialog(page).getByText("renewals", { exact: true }).press("Space");
  await inDialog(page).getByLabel("Until").fill("");
  assert.equal(await submitForm(page), 204);
  await row(page, "Card lost").getByText("renewals").waitFor();
  const second = await stored();
  assert.deepEqual([second?.code, second?.borrowing, second?.renewals, second?.requests], ["LC", false, true, false]);
  assert.equal(second?.expirationDate, undefined);
  await pressButton(page, "Remove: Card lost");
  await inDialog(page).getByRole("button", { name: "Remove" }).press("Enter");
  await page.getByText("This patron has no blocks.").waitFor();
});

test("a note pops up at check-out and on the page, goes with a key, is changed and removed", async () => {
  const id = await createPatron("Noted", "27009700000038");
  const page = await open(id, "notes");
  await pressButton(page, "Add a note");
  await waitForFocus(page, inDialog(page).getByRole("textbox", { name: "Title" }));
  await page.keyboard.type("Glasses found");
  await inDialog(page).getByRole("textbox", { name: "Details" }).fill("In the drawer,\nleft <of> the till.");
  await inDialog(page).getByText("Pops up when they check out").press("Space");
  assert.deepEqual(await axeViolations(page), []);
  assert.equal(await submitForm(page), 201);
  await row(page, "Glasses found").getByText("left <of> the till.").waitFor();
  assert.deepEqual(await axeViolations(page), []);

  await page.goto(`${library.address}/desk/check-out`);
  await page.locator("main input:focus").waitFor();
  await scan(page, "27009700000038");
  const note = page.getByRole("dialog", { name: "Notes about Noted" });
  await note.getByText("In the drawer").waitFor();
  await waitForFocus(page, note.getByRole("button", { name: "Mark as read" }));
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.press("Enter");
  await note.waitFor({ state: "detached" });
  await waitForFocus(page, page.getByRole("textbox", { name: "Item barcode" }));

  await page.goto(`${library.address}/desk/patrons/${id}?show=notes`);
  await pressButton(page, "Edit: Glasses found");
  await inDialog(page).getByText("Pops up when their page is opened").press("Space");
  assert.equal(await submitForm(page), 204);
  await row(page, "Glasses found").getByText("pops up at check-out, pops up on this page").waitFor();
  interface Note {
    content: string;
    links: object[];
  }
  const read = async () =>
    (await library.call<{ notes: Note[] }>(`/note-links/domain/users/type/user/id/${id}?status=assigned`)).notes;
  assert.deepEqual(
    (await read()).map(({ content }) => content),
    ["<p>In the drawer,</p><p>left &lt;of&gt; the till.</p>"],
  );
  await page.reload();
  await note.waitFor();
  await page.keyboard.press("Escape");
  await note.waitFor({ state: "detached" });
  await pressButton(page, "Remove: Glasses found");
  await inDialog(page).getByRole("button", { name: "Remove" }).press("Enter");
  await page.getByText("There are no notes.").waitFor();
  assert.deepEqual(await read(), []);
});

test("nothing is cut off at a phone", async () => {
  const id = await createPatron("Wolfeschlegelsteinhausenbergerdorff", "27009700000046");
  const other = await createPatron("Anotherwithaverylongnameindeedforaphone", "27009700000053");
  await library.call("/proxiesfor", { userId: id, proxyUserId: other, status: "Active", notificationsTo: "Sponsor" });
  const page = await library.visit({ width: 375, height: 740 });
  await enterByDoor(library, page);
  for (const show of ["proxies", "notes", "blocks"]) {
    await page.goto(`${library.address}/desk/patrons/${id}?show=${show}`);
    await page.getByRole("tabpanel").waitFor();
    await checkPage(page, show);
  }
});
