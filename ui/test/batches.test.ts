/** Many barcodes at once, at check-out and check-in. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { axeViolations, enterDesk, type Library, openLibrary, type Page, row, scan } from "./library.ts";

const FREYA = "27001000000445";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

async function send(page: Page, barcodes: string[]): Promise<void> {
  await page.getByRole("button", { name: "Many at once" }).press("Enter");
  await page.getByRole("dialog").getByRole("textbox").fill(barcodes.join("\n"));
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: `Send ${barcodes.length}` }).press("Enter");
}

test("a pasted list is checked out and comes back from a file: a row for each, the refused as CSV, the pile in sum", async () => {
  const barcodes = (await library.lendable()).slice(0, 3);
  const page = await library.visit();
  const printed: string[] = [];
  await page.exposeFunction("hasPrinted", (text: string) => printed.push(text));
  await page.addInitScript(() => {
    window.print = () => {
      const paper = document.querySelector(".slip")?.textContent ?? "";
      void (window as unknown as { hasPrinted: (text: string) => void }).hasPrinted(paper);
    };
  });
  await enterDesk(library, page);
  await scan(page, FREYA);
  await page.getByRole("heading", { name: "Freya Nielsen" }).waitFor();
  await send(page, [...barcodes, "4711"]);
  for (const barcode of barcodes) await row(page, barcode).getByText(/^due /).waitFor();
  await row(page, "4711").getByText("Not checked out").waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save refused as CSV" }).press("Enter");
  const file = await readFile(await (await download).path(), "utf8");
  assert.match(file, /Barcode,Reason\r\n4711,.+/);

  await page.keyboard.press("Alt+i");
  await page.getByRole("textbox", { name: "Item barcode" }).waitFor();
  await page.getByRole("button", { name: "Many at once" }).press("Enter");
  const buffer = Buffer.from(`Barcode;Title\r\n${barcodes.map((one) => `${one};x`).join("\r\n")}\r\n`);
  await page.getByLabel("Or from a file").setInputFiles({ name: "box.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Send 3" }).press("Enter");
  for (const barcode of barcodes) await row(page, barcode).locator(".goes").waitFor();
  await page.getByRole("button", { name: "Where the returned items go" }).press("Enter");
  await page
    .getByRole("dialog")
    .getByText(/To the shelf|In transit to/)
    .first()
    .waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Print all" }).press("Enter");
  for (let waits = 0; waits < 50 && printed.length === 0; waits++) await page.waitForTimeout(100);
  assert.equal(printed.length, 1);
  for (const barcode of barcodes) assert.ok(printed[0]?.includes(barcode), barcode);
});
