/** A patron's card among the items: recognised, and nothing goes to the wrong person. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  axeViolations,
  enterDesk,
  type Library,
  openLibrary,
  type Page,
  pressButton,
  row,
  scan,
  waitUntilEqual,
} from "./library.ts";

const FREYA = "27001000000445";
const AMARA = "27001000000015";
const KENJI = "27001000000049";
/** Looks like a card, and is nobody's. */
const NOBODY = "27001000999999";

let library: Library;
/** Copies that anybody may borrow, each lent in one test alone. */
let copies: string[];
before(async () => {
  library = await openLibrary();
  copies = await library.lendable();
});
after(() => library?.close());

const takeCopies = (count: number) => copies.splice(0, count) as [string, string, ...string[]];
const waitForCheckOut = (page: Page, barcode: string) => row(page, barcode).getByText(/^due /).waitFor();

async function beginVisit(page: Page, card: string): Promise<void> {
  await scan(page, card);
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
}

/** Who has it. */
async function findBorrower(barcode: string): Promise<string | undefined> {
  const item = encodeURIComponent(`barcode=="${barcode}"`);
  const { items } = await library.call<{ items: { id: string }[] }>(`/inventory/items?query=${item}`);
  const open = encodeURIComponent(`itemId=="${items[0]?.id}" and status.name=="Open"`);
  const { loans } = await library.call<{ loans: { borrower: { barcode: string } }[] }>(
    `/circulation/loans?query=${open}`,
  );
  return loans[0]?.borrower.barcode;
}

test("the next card ends the session if staff say so; what was scanned after it goes to its owner", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await beginVisit(page, FREYA);
  const [hers, theirs, too] = takeCopies(3);
  await scan(page, hers, AMARA, theirs, too ?? "");
  await page.getByRole("alert").getByText("That is the card of Amara Okafor.").waitFor();
  await page.getByText("2 items were scanned since").waitFor();
  assert.equal(await findBorrower(theirs), undefined, "it waits");
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "End this session and begin with Amara Okafor");
  await page.getByRole("heading", { name: "Amara Okafor" }).waitFor();
  await waitForCheckOut(page, theirs);
  await waitForCheckOut(page, too ?? "");
  assert.deepEqual(
    [await findBorrower(hers), await findBorrower(theirs), await findBorrower(too ?? "")],
    [FREYA, AMARA, AMARA],
  );
  await page.locator(".scan input:focus").waitFor();
});

test("or it was a mistake, and the session goes on; the patron's own card changes nothing", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await beginVisit(page, FREYA);
  const [first, second] = takeCopies(2);
  await scan(page, FREYA, first, AMARA, second, FREYA);
  await pressButton(page, "Go on with Freya Nielsen");
  await waitForCheckOut(page, second);
  assert.deepEqual([await findBorrower(first), await findBorrower(second)], [FREYA, FREYA]);
  await waitUntilEqual(() => page.locator(".row").count(), 2);
});

test("items scanned before the card is looked up, and the end of the session, wait for it", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  const [first, second, half] = takeCopies(3) as [string, string, string];
  await page.route("**/users?*", async (route) => {
    await new Promise((done) => setTimeout(done, 500));
    await route.continue();
  });
  await scan(page, FREYA, first);
  await page.keyboard.press("Escape");
  await scan(page, AMARA, second);
  await waitForCheckOut(page, second);
  assert.deepEqual([await findBorrower(first), await findBorrower(second)], [FREYA, AMARA]);
  await waitUntilEqual(() => page.getByRole("heading", { name: "Amara Okafor" }).count(), 1);

  // The patron is found in the middle of the next barcode.
  await page.keyboard.press("Escape");
  await page.getByText("1 item for Amara Okafor").waitFor();
  await scan(page, KENJI);
  await page.keyboard.type(half.slice(0, 6));
  await page.getByRole("heading", { name: "Kenji Watanabe" }).waitFor();
  await scan(page, half.slice(6));
  await waitForCheckOut(page, half);
  assert.equal(await findBorrower(half), KENJI);
});

test("without a connection a card is known by its look; the server says later whose it is", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await page.waitForFunction(async () => (await (await caches.open("octavo-luggage")).keys()).length === 2);
  await beginVisit(page, FREYA);
  const [hers, theirs, others, last] = takeCopies(4) as [string, string, string, string];
  await page.context().setOffline(true);
  await scan(page, hers, KENJI, theirs);
  await page.getByText(`${KENJI} looks like a patron's card`).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, `End this session and begin with ${KENJI}`);
  await scan(page, NOBODY, others);
  await pressButton(page, "It is an item");
  await scan(page, AMARA, last);
  await page.getByText(`${AMARA} looks like a patron's card`).waitFor();
  await page.context().setOffline(false);
  // Now it has a name.
  await page.getByRole("alert").getByText("That is the card of Amara Okafor.").waitFor();
  await pressButton(page, "Go on with Kenji Watanabe");
  await waitForCheckOut(page, last);
  await row(page, NOBODY).getByText("Not checked out").waitFor();
  const holders = await Promise.all([hers, theirs, others, last].map(findBorrower));
  assert.deepEqual(holders, [FREYA, KENJI, KENJI, KENJI]);
});

test("a card that nothing told apart without a connection is found when its session is long over", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await beginVisit(page, FREYA);
  // No list of items: nothing tells what looks like an item.
  await page.evaluate(() => caches.delete("octavo-luggage"));
  const [hers, theirs] = takeCopies(2);
  await page.context().setOffline(true);
  await page.getByRole("textbox", { name: "Item barcode" }).focus();
  await scan(page, hers, AMARA, theirs);
  await row(page, theirs).waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("3 items of earlier sessions will be sent").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("alert").getByText("That is the card of Amara Okafor.").waitFor();
  assert.equal(await findBorrower(theirs), undefined, "it waits");
  assert.deepEqual(await axeViolations(page), []);
  await pressButton(page, "Check them out to Amara Okafor");
  await page.waitForFunction(() => sessionStorage["octavo.check-out.scans"] === "[]");
  assert.deepEqual([await findBorrower(hers), await findBorrower(theirs)], [FREYA, AMARA]);
});
