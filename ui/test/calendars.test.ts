/** Calendars: drawn, walked through by keyboard, with hours and exceptions changed, and overlaps said in words. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  axeViolations,
  checkPage,
  enterDesk,
  type Library,
  openDesk,
  openLibrary,
  pressButton,
  submitForm,
} from "./library.ts";

const HARBOUR_HOURS = "3325b783-596d-5142-a7c2-0b917963add2";

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

interface Calendar {
  id: string;
  name: string;
  normalHours: { startDay: string; startTime: string; endDay: string; endTime: string }[];
  exceptions: { name: string; startDate: string; endDate: string; openings: object[] }[];
}

const loadCalendar = () => library.call<Calendar>(`/calendar/calendars/${HARBOUR_HOURS}`);

test("calendars are listed with where they hold; a service point without one is named", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/calendars");
  await page.getByRole("link", { name: "Harbour Library, 2026 to 2028" }).waitFor();
  await page.getByText(/Without a calendar for today, and so taken for closed: .*Online/).waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("days are walked by keyboard, and an exception is added, kept and drawn", async () => {
  const page = await library.visit();
  await openDesk(library, page, `/settings/calendars/${HARBOUR_HOURS}?month=2026-12`);
  await page.getByRole("button", { name: "Friday, December 25, 2026: Christmas 2026, closed" }).waitFor();
  await page.getByRole("button", { name: "Saturday, December 5, 2026: 10 AM–6 PM" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);

  await page.getByRole("button", { name: /^Tuesday, December 1,/ }).focus();
  await page.keyboard.press("ArrowLeft");
  await page.locator("[data-day='2026-11-30']:focus").waitFor();
  await page.waitForURL(/month=2026-11/);
  await page.keyboard.press("PageDown");
  await page.keyboard.press("ArrowDown");
  await page.locator("[data-day='2027-01-06']:focus").waitFor();
  await page.keyboard.press("End");
  await page.locator("[data-day='2027-01-09']:focus").waitFor();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name of the exception").fill("Stocktaking");
  await dialog.getByLabel("Last day").fill("2027-01-10");
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole("button", { name: "Apply" }).press("Enter");
  await page.getByRole("button", { name: "Sunday, January 10, 2027: Stocktaking, closed" }).waitFor();
  await page.getByText("Changed, and not saved yet.").waitFor();
  assert.ok((await submitForm(page)) < 300);
  await page.getByText("Saved.").first().waitFor();
  const exception = (await loadCalendar()).exceptions.find(({ name }) => name === "Stocktaking");
  assert.deepEqual(exception, { name: "Stocktaking", startDate: "2027-01-09", endDate: "2027-01-10", openings: [] });

  await page.getByRole("button", { name: "Change: Stocktaking" }).press("Enter");
  await dialog.getByRole("checkbox", { name: "Closed" }).press("Space");
  await dialog.getByLabel("From").fill("14:00");
  await dialog.getByRole("button", { name: "Apply" }).press("Enter");
  await page.getByRole("button", { name: "Sunday, January 10, 2027: Stocktaking, 2 PM–5 PM" }).waitFor();
  assert.ok((await submitForm(page)) < 300);
  await page.getByText("Saved.").first().waitFor();
  assert.equal((await loadCalendar()).exceptions.find(({ name }) => name === "Stocktaking")?.openings.length, 2);
});

test("hours that overlap, and a calendar where there is one, are said in words", async () => {
  const page = await library.visit();
  await openDesk(library, page, "/settings/calendars/new");
  await page.getByRole("textbox", { name: "Name" }).fill("One too many");
  await page.getByRole("checkbox", { name: "Harbour Library desk" }).press("Space");
  await pressButton(page, "Add hours: Monday");
  await pressButton(page, "Add hours: Monday");
  const monday = page.getByRole("listitem").filter({ hasText: "Monday" }).first();
  await monday.getByLabel("From").nth(1).fill("10:00");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page
    .getByText("Harbour Library desk: the calendar “Harbour Library, 2026 to 2028” is in force there")
    .waitFor();
  await page.getByText("These hours overlap: Monday 9 AM–5 PM; Monday 10 AM–5 PM.").waitFor();
  assert.deepEqual(await axeViolations(page), []);
});

test("what closes after midnight is kept so; the year leads to its months", async () => {
  const page = await library.visit();
  await openDesk(library, page, `/settings/calendars/${HARBOUR_HOURS}?month=2027-03&view=year`);
  await page.getByRole("button", { name: /^March 2027.*31 days open/ }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: /^March 2027/ }).press("Enter");
  await page.getByRole("button", { name: /^Monday, March 1, 2027/ }).waitFor();
  const monday = page.getByRole("listitem").filter({ hasText: "Monday" }).first();
  await monday.getByLabel("Until").fill("01:00");
  await page.getByRole("button", { name: "Tuesday, March 2, 2027: 12 AM–1 AM, 9 AM–8 PM" }).waitFor();
  assert.ok((await submitForm(page)) < 300);
  await page.getByText("Saved.").first().waitFor();
  const hours = (await loadCalendar()).normalHours.find(({ startDay }) => startDay === "MONDAY");
  assert.deepEqual([hours?.endDay, hours?.endTime.slice(0, 5)], ["TUESDAY", "01:00"]);
});

test("nothing is cut off at a phone", async () => {
  const page = await library.visit({ width: 375, height: 740 });
  await enterDesk(library, page);
  for (const path of ["", `/${HARBOUR_HOURS}?month=2026-12`, `/${HARBOUR_HOURS}?view=year`]) {
    await page.goto(`${library.address}/desk/settings/calendars${path}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await checkPage(page, path);
  }
});
