/** Without a connection, and when it is back. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axe, enter, type Library, openLibrary, press, row, scan } from "./library.ts";

const FREYA = "27001000000445";
const AMARA = "27001000000015";
const BELOVED = "37001000000096";
const FILM = "37001000000765";
const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

test("a desk without a connection goes on lending; what came in between is reported afterwards", async () => {
  const page = await library.visit();
  await enter(library, page);
  // The desk itself is at hand from now on.
  if (!process.env.OCTAVO_DESK) await page.evaluate(() => navigator.serviceWorker.ready);
  await page.context().setOffline(true);
  await scan(page, FREYA);
  await page.getByText("No connection to the server.").waitFor();
  assert.deepEqual(await axe(page), []);
  await press(page, `Begin with ${FREYA}, without looking them up`);
  await page.getByText("Not looked up").waitFor();
  await scan(page, BELOVED, FILM);
  await row(page, FILM).waitFor();
  assert.deepEqual(await axe(page), []);
  if (!process.env.OCTAVO_DESK) {
    await page.reload();
    await row(page, FILM).waitFor();
  }
  await page.getByRole("textbox", { name: "Item barcode" }).focus();
  await page.keyboard.press("Escape");
  await page.getByText("2 items of earlier sessions will be sent").waitFor();
  assert.deepEqual(await axe(page), []);

  await library.call("/circulation/check-out-by-barcode", {
    itemBarcode: FILM,
    userBarcode: AMARA,
    servicePointId: HARBOUR,
  });
  await page.context().setOffline(false);
  await page.getByRole("heading", { name: "What could not be lent after all" }).waitFor();
  await row(page, FILM).getByText("Item is already checked out").waitFor();
  assert.deepEqual(await axe(page), []);
  assert.equal(await row(page, BELOVED).count(), 0);
  const query = encodeURIComponent(`barcode=="${BELOVED}"`);
  const { items } = await library.call<{ items: { status: { name: string } }[] }>(`/inventory/items?query=${query}`);
  assert.equal(items[0]?.status.name, "Checked out");
  await press(page, `Remove from the list: ${FILM}`);
  await page.getByRole("heading", { name: "What could not be lent after all" }).waitFor({ state: "detached" });
});

test("a tab that is closed leaves what it could not send to the next one", async () => {
  const page = await library.visit();
  await enter(library, page);
  await scan(page, AMARA);
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
  await page.context().setOffline(true);
  await scan(page, "37001000001193");
  await row(page, "37001000001193").getByText("kept until the connection is back").waitFor();
  const browser = page.context();
  const next = await browser.newPage();
  await page.close();
  await browser.setOffline(false);
  await next.goto(`${library.address}/desk/check-out`);
  await next.locator("main input:focus").waitFor();
  await next.waitForFunction(async () => {
    const query = encodeURIComponent('barcode=="37001000001193"');
    const headers = { "x-okapi-tenant": "diku" };
    const answer = await (await fetch(`/inventory/items?query=${query}`, { headers })).json();
    return answer.items[0].status.name === "Checked out";
  });
});
