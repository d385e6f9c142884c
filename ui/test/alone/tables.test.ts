/** A table of ten thousand rows: it is scrolled, sorted, walked through and saved without anybody waiting for it. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { pressAt } from "../keyboard.ts";
import { axeViolations, type Library, openDesk, openLibrary, type Page } from "../library.ts";

const MANY = 10_000;

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

const loan = (number: number) => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
  itemId: `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`,
  userId: "00000000-0000-4000-a000-000000000000",
  loanDate: "2026-11-01T10:00:00Z",
  dueDate: new Date(Date.UTC(2027, 0, 1) + number * 60_000).toISOString(),
  status: { name: "Open" },
  action: "checkedout",
  item: {
    title: `Volume ${number}`,
    barcode: `37${String(number).padStart(12, "0")}`,
    status: { name: "Checked out" },
  },
  borrower: { lastName: `Reader ${number % 97}`, barcode: "27001000000445" },
});

/** The list of open loans of a large library. */
async function openLoans(page: Page): Promise<void> {
  await page.route(/\/circulation\/loans\?/, (route) => {
    const asked = new URL(route.request().url()).searchParams;
    const [offset, limit] = [Number(asked.get("offset")), Number(asked.get("limit"))];
    const loans = Array.from({ length: limit }, (_, index) => loan(offset + index));
    return route.fulfill({ json: { loans, totalRecords: MANY } });
  });
  await openDesk(library, page, "/lists");
  await page.getByText("10,000 rows").waitFor();
}

/** Rows whose whole height is seen. */
const countVisibleRows = (page: Page) =>
  page.evaluate(() => {
    const box = document.querySelector(".table-scroll")?.getBoundingClientRect();
    const top = document.querySelector(".table-scroll thead")?.getBoundingClientRect().bottom ?? 0;
    const rows = [...document.querySelectorAll(".table-scroll tbody tr[data-key]")];
    return rows.filter((row) => {
      const { top: start, bottom } = row.getBoundingClientRect();
      return start >= top - 1 && bottom <= Math.min(box?.bottom ?? 0, innerHeight) + 1;
    }).length;
  });

test("ten thousand rows are scrolled from top to bottom: no frame takes a second, and few rows stand in the page", async (context) => {
  const page = await library.visit();
  await openLoans(page);
  assert.ok((await countVisibleRows(page)) >= 25, `${await countVisibleRows(page)} rows are seen at once`);
  const { slowest, most } = await page.evaluate(async () => {
    const box = document.querySelector(".table-scroll") as HTMLElement;
    let [slowest, most, last] = [0, 0, performance.now()];
    for (let step = 0; step <= 200; step++) {
      box.scrollTop = (box.scrollHeight * step) / 200;
      const now = await new Promise<number>(requestAnimationFrame);
      slowest = Math.max(slowest, now - last);
      last = now;
      most = Math.max(most, document.querySelectorAll(".table-scroll tbody tr").length);
    }
    return { slowest, most };
  });
  context.diagnostic(`the slowest frame took ${Math.round(slowest)} ms; at most ${most} rows stood in the page`);
  assert.ok(slowest < 1000, `a frame took ${slowest} ms`);
  assert.ok(most < 100, `${most} rows stood in the page`);
  await page.getByText("Volume 9999", { exact: true }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("the table is walked through, ticked, sorted and opened by keyboard alone; the address keeps its order", async () => {
  const page = await library.visit();
  await openLoans(page);
  await page.getByRole("grid").focus();
  for (const key of ["ArrowDown", "Space", "Shift+ArrowDown", "Shift+ArrowDown"]) await page.keyboard.press(key);
  await page.getByText("3 ticked").waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.keyboard.press("End");
  await page.locator("tr[data-active]", { hasText: "Volume 9999" }).waitFor();
  await page.keyboard.press("Space");
  await page.getByText("4 ticked").waitFor();
  await page.keyboard.press("Control+a");
  await page.getByText("10,000 ticked").waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("10,000 rows").waitFor();

  await page.getByRole("button", { name: "Due" }).press("Enter");
  await page.waitForURL(/sort=-due/);
  await page.getByRole("grid").focus();
  await page.keyboard.press("Home");
  await page.locator("tr[data-active]", { hasText: "Volume 9999" }).waitFor();
  await page.reload();
  await page.getByText("Volume 9999", { exact: true }).waitFor();
  await page.getByRole("grid").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/patrons\/00000000-0000-4000-a000/);
});

test("columns are chosen, rows are ticked with the mouse, and all of them are saved for a spreadsheet", async () => {
  const page = await library.visit();
  await openLoans(page);
  await page.getByRole("button", { name: "Columns" }).press("Enter");
  await pressAt(page.getByRole("checkbox", { name: "Loan policy" }), "Space");
  await pressAt(page.getByRole("switch", { name: "Taller rows" }), "Space");
  await page.keyboard.press("Escape");
  await page.getByRole("columnheader", { name: "Loan policy" }).waitFor();
  await page.waitForURL(/columns=[^&]*policy/);
  assert.ok((await countVisibleRows(page)) < 22, "roomy rows take more room");

  await page
    .getByText("Volume 2", { exact: true })
    .locator("xpath=ancestor::tr")
    .click({ position: { x: 8, y: 8 } });
  const sixth = page.getByText("Volume 6", { exact: true }).locator("xpath=ancestor::tr");
  await sixth.click({ position: { x: 8, y: 8 }, modifiers: ["Shift"] });
  await page.getByText("5 ticked").waitFor();
  const saved = async () => {
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).press("Enter");
    return (await readFile(await (await download).path(), "utf8")).trim().split("\r\n");
  };
  assert.equal((await saved()).length, 1 + 5);
  await page.getByRole("button", { name: "Untick" }).press("Enter");
  const lines = await saved();
  assert.equal(lines.length, 1 + MANY);
  assert.match(lines[0] ?? "", /^Title,Barcode,/);
});
