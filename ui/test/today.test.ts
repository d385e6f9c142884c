/** The board of the day. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axeViolations, checkPage, enterDesk, type Library, openDesk, openLibrary, row, scan } from "./library.ts";

const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

test("what goes out and comes back is counted, and leads on", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  await scan(page, "27001000000445");
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
  await scan(page, "37001000000096");
  await row(page, "Beloved").getByText(/^due /).waitFor();
  await page.keyboard.press("Alt+h");
  await page.getByRole("figure", { name: "1 checked out today" }).waitFor();
  await page.getByRole("figure", { name: "0 returned today" }).waitFor();
  await page.getByRole("figure", { name: /^\d+ requests took 500 ms or more$/ }).waitFor();
  await page.getByText(/^[1-9]\d* overdue in the whole library$/).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("link", { name: "waiting on the hold shelf" }).press("Enter");
  await page.getByText("The hold shelf of this service point is empty.").waitFor();
});

test("what the box of the night brings is drawn at the hour at which it is booked", async () => {
  const find = async (query: string) =>
    (
      await library.call<{ loans: { id: string; item: { barcode: string } }[] }>(
        `/circulation/loans?limit=1&query=${encodeURIComponent(query)}`,
      )
    ).loans;
  const [loan] = await find('status.name=="Open" sortBy dueDate/sort.descending');
  const anotherHour = new Date(Date.now() - 5 * 3_600_000).toISOString();
  await library.call("/circulation/check-in-by-barcode", {
    itemBarcode: loan?.item.barcode,
    servicePointId: HARBOUR,
    checkInDate: anotherHour,
  });
  const page = await library.visit();
  await enterDesk(library, page);
  await page.keyboard.press("Alt+h");
  const returned = page.getByRole("figure", { name: "1 returned today" });
  await returned.waitFor();
  const { timezone } = JSON.parse(
    (await library.call<{ configs: { value: string }[] }>("/configurations/entries?query=configName==localeSettings"))
      .configs[0]?.value ?? '{"timezone":"UTC"}',
  ) as { timezone: string };
  const hour = (at: Date) =>
    Number(new Intl.DateTimeFormat("en", { hour: "2-digit", hourCycle: "h23", timeZone: timezone }).format(at));
  const drawn = Number(await returned.locator("th").textContent());
  const now = hour(new Date());
  assert.ok([now, (now + 23) % 24].includes(drawn), `drawn at ${drawn}, booked at ${now}`);
});

test("nothing is cut off at a phone", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await openDesk(library, page, "/today");
  await page.getByRole("figure").first().waitFor();
  await checkPage(page, "the page");
});
