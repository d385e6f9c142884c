/**
 * Printouts in English and in Arabic: they have nothing of the page around them, nothing is cut off, each is in the
 * language and direction of the desk, and texts from left to right keep their direction. With `OCTAVO_SHOTS` the
 * printouts are kept in that folder, as PDF.
 */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chooseFrom, pressAt, typeInto } from "./keyboard.ts";
import { type Library, openLibrary, type Page, row, SERVICE_POINT, scan } from "./library.ts";
import { createHoldings, createItem, createTitle } from "./records.ts";
import { type SpokenLanguage, spokenWords } from "./spoken.ts";

const FREYA = "27001000000445";
const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";
const PICK_SLIP = "/staff-slips-storage/staff-slips/8812bae1-2738-442c-bc20-fe4bb38a11f8";
/**
 * In an Arabic text its question mark goes to the wrong end, unless the title is isolated; so do signs of a call
 * number.
 */
const TITLE = "Who is there?";
const CALL_NUMBER = "(QA) 76 .C5+";

/** A roll of 80 mm and a sheet of A4, without the margins of 4 mm on each side. */
const ROLL_MM = 72;
const SHEET_MM = 202;
const pixels = (millimetres: number) => Math.floor((millimetres * 96) / 25.4);

let library: Library;
before(async () => {
  library = await openLibrary();
});
after(() => library?.close());

/** At work in a language, in dark colours: paper has none. What is printed stays in the page, until the next is. */
async function openDeskIn(language: SpokenLanguage, path: string): Promise<Page> {
  const page = await library.visit();
  await page.addInitScript((language) => {
    localStorage.setItem("octavo.preferences", JSON.stringify({ language, theme: "dark" }));
    window.print = () => {
      document.querySelector("article.kept")?.remove();
      const paper = document.querySelector("article.slip")?.cloneNode(true) as HTMLElement;
      paper.classList.add("kept");
      document.body.append(paper);
      // The size of the page goes when it is printed; here it is looked at afterwards.
      const sheets = [...document.adoptedStyleSheets];
      setTimeout(() => {
        document.adoptedStyleSheets = sheets;
        paper.dataset.ready = "";
      }, 100);
    };
  }, language);
  await page.goto(`${library.address}/desk${path}`);
  await page.locator(".demo button").press("Enter");
  await page.getByRole("button", { name: SERVICE_POINT }).press("Enter");
  await page.locator(`:root[lang="${language}"]`).waitFor();
  return page;
}

interface Expected {
  name: string;
  language: SpokenLanguage;
  /** What stands on it. */
  says: readonly string[];
  /** What is written there from left to right in every language. */
  leftToRight?: readonly string[];
  /** How many pages it has on its roll. */
  pages?: number;
  /** The size of its pages in millimetres, where it says one itself. */
  size?: readonly [width: number, height: number];
  /** On which papers it is looked at, by how wide they are in millimetres. */
  widths?: readonly number[];
}

/** Looks at what was printed last, and at nothing else. */
async function isSoundOnPaper(page: Page, expected: Expected): Promise<void> {
  const { name, language, says, leftToRight = [], pages = 1, size, widths = [ROLL_MM, SHEET_MM] } = expected;
  await page.locator("article.kept[data-ready]").waitFor({ state: "attached" });
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.emulateMedia({ media: "print" });
  for (const width of size ? [size[0]] : widths) {
    await page.setViewportSize({ width: pixels(width), height: 800 });
    const seen = await page.evaluate(inspectPaper, leftToRight);
    const about = `${name} in ${language}, ${width} mm`;
    assert.deepEqual(seen.beside, [], `${about}: printed beside it`);
    assert.deepEqual(seen.cut, [], `${about}: cut off`);
    assert.deepEqual(seen.turned, [], `${about}: turned round`);
    assert.deepEqual(seen.broken, [], `${about}: numbers that are broken into two lines`);
    assert.deepEqual([seen.lang, seen.direction], [language, language === "ar" ? "rtl" : "ltr"], about);
    assert.deepEqual(
      [seen.ground, ...seen.colours],
      ["rgb(255, 255, 255)", "rgb(0, 0, 0)"],
      `${about}: black on white`,
    );
    for (const text of says) assert.ok(seen.text.includes(text), `${about}: “${text}” in “${seen.text}”`);
  }
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true, width: "80mm", height: "200mm" });
  if (process.env.OCTAVO_SHOTS) await writeFile(join(process.env.OCTAVO_SHOTS, `${name}-${language}.pdf`), pdf);
  const boxes = [...pdf.toString("latin1").matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)];
  assert.equal(boxes.length, pages, `${name} in ${language}: pages`);
  if (size) {
    const points = boxes[0]?.slice(1).map((length) => Math.round((Number(length) * 25.4) / 72));
    assert.deepEqual(points, size, `${name} in ${language}: millimetres of a page`);
  }
  await page.emulateMedia({ media: null });
  await page.setViewportSize(before);
}

/** What is seen of the paper; in the page, where nothing of this file is known. */
function inspectPaper(leftToRight: readonly string[]) {
  const paper = document.querySelector("article.kept") as HTMLElement;
  const all = [...paper.querySelectorAll<HTMLElement>("*")].filter((one) => one.checkVisibility());
  const isMoreThanADot = (one: Element) => one.getBoundingClientRect().width > 1;
  const beside = [...document.body.querySelectorAll("*")].filter(
    (one) => !paper.contains(one) && !one.contains(paper) && one.checkVisibility() && isMoreThanADot(one),
  );
  const cut = all.filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    const hides = getComputedStyle(one).overflow !== "visible";
    return left < -1 || right > innerWidth + 1 || (hides && one.scrollHeight > one.clientHeight + 1);
  });
  /** Where a sign of a text stands. */
  const across = (node: Node, place: number) => {
    const range = document.createRange();
    range.setStart(node, place);
    range.setEnd(node, place + 1);
    const { left, top } = range.getBoundingClientRect();
    return { left, top };
  };
  const nodes: Node[] = [];
  const walker = document.createTreeWalker(paper, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) nodes.push(walker.currentNode);
  const turned = leftToRight.filter((text) => {
    const node = nodes.find(({ textContent }) => textContent?.includes(text));
    if (node === undefined) return true;
    const start = node.textContent?.indexOf(text) ?? 0;
    const places = [...text].map((_, index) => across(node, start + index));
    return places.some((place, index) => {
      const next = places[index + 1];
      return next !== undefined && next.top === place.top && next.left < place.left;
    });
  });
  const broken = nodes.flatMap((node) =>
    [...(node.textContent ?? "").matchAll(/\d[\d.,:]*\d/g)]
      .filter(({ 0: number, index }) => across(node, index).top !== across(node, index + number.length - 1).top)
      .map(([number]) => number),
  );
  return {
    broken,
    beside: beside.map((one) => one.outerHTML.slice(0, 120)),
    cut: cut.map((one) => one.outerHTML.slice(0, 120)),
    turned,
    text: paper.textContent ?? "",
    lang: document.documentElement.lang,
    direction: getComputedStyle(paper).direction,
    colours: [...new Set(all.map((one) => getComputedStyle(one).color))],
    ground: getComputedStyle(document.documentElement).backgroundColor,
  };
}

/** A title of one test alone with two copies on the shelf, whose barcodes begin with the name of the test. */
async function createShelvedTitle(
  name: string,
): Promise<{ id: string; items: string[]; barcodes: string[]; holdings: string }> {
  const contributorNameTypeId = "2b94c631-fca9-4892-a730-03ee529ffe2a";
  const id = await createTitle(library, TITLE, {
    contributors: [{ name: "Knock, K.", contributorNameTypeId, primary: true }],
  });
  const holdings = await createHoldings(library, id, "Harbour: Fiction", { callNumber: CALL_NUMBER });
  const barcodes = [1, 2].map((number) => `${name}-${number}`);
  const items: string[] = [];
  for (const [index, barcode] of barcodes.entries()) {
    items.push(await createItem(library, holdings, barcode, { volume: `v.${index + 1}` }));
  }
  return { id, items, barcodes, holdings };
}

async function createPatron(): Promise<string> {
  const { users } = await library.call<{ users: { id: string }[] }>(`/users?query=barcode==${FREYA}`);
  return users[0]?.id ?? "";
}

/** Freya wants each of them, and fetches it at Harbour Library's desk. */
async function createRequests({ id, items, holdings }: Awaited<ReturnType<typeof createShelvedTitle>>): Promise<void> {
  const requesterId = await createPatron();
  for (const itemId of items) {
    await library.call("/circulation/requests", {
      requestType: "Page",
      requestLevel: "Item",
      requestDate: new Date().toISOString(),
      requesterId,
      itemId,
      holdingsRecordId: holdings,
      instanceId: id,
      fulfillmentPreference: "Hold Shelf",
      pickupServicePointId: HARBOUR,
    });
  }
}

for (const language of ["en", "ar"] as const) {
  const { desk, drawer, records, self } = spokenWords[language];

  test(`slips in ${language}: what is to be fetched, plain and as the library has written it, and what goes to the hold shelf`, async () => {
    const made = await createShelvedTitle(`slips-${language}`);
    await createRequests(made);
    const [barcode = ""] = made.barcodes;
    const page = await openDeskIn(language, "/requests?view=pick");
    await row(page, barcode).waitFor();
    await pressAt(page.getByRole("button", { name: desk.requests.printPick }));
    const slips = page.locator("article.kept .one-slip");
    await slips.first().waitFor({ state: "attached" });
    const count = await slips.count();
    assert.ok(count >= 2, `${count} slips`);
    const leftToRight = [TITLE, CALL_NUMBER, barcode];
    const data = [...leftToRight, "Knock, K.", "v.1", "Nielsen, Freya", SERVICE_POINT];
    const says = [...data, desk.requests.views.pick];
    await isSoundOnPaper(page, { name: "pick-slips", language, says, leftToRight, pages: count });

    const slip = await library.call<object>(PICK_SLIP);
    const template = "<h1>{{item.callNumber}}</h1><p>Fetch <strong>{{item.title}}</strong></p>";
    await library.call(PICK_SLIP, { ...slip, template }, "PUT");
    await page.reload();
    await row(page, barcode).waitFor();
    await pressAt(page.getByRole("button", { name: desk.requests.printPick }));
    const own = [CALL_NUMBER, `Fetch ${TITLE}`];
    await isSoundOnPaper(page, {
      name: "own-slips",
      language,
      says: own,
      leftToRight: [CALL_NUMBER, TITLE],
      pages: count,
    });
    await library.call(PICK_SLIP, slip, "PUT");

    await page.goto(`${library.address}/desk/check-in`);
    await page.locator("main input:focus").waitFor();
    await scan(page, barcode);
    await pressAt(page.getByRole("button", { name: desk.checkIn.slip }).first());
    const hold = [...leftToRight, desk.checkIn.goes.hold("Nielsen, Freya")];
    await isSoundOnPaper(page, { name: "hold-slip", language, says: hold, leftToRight });
  });

  test(`labels in ${language} look the same, one a page or several on a sheet; what has no room is said before`, async () => {
    const { id, barcodes } = await createShelvedTitle(`labels-${language}`);
    const page = await openDeskIn(language, `/inventory/${id}`);
    const open = async () => {
      await pressAt(page.getByRole("checkbox", { name: records.table.tickAll(2) }), "Space");
      await pressAt(page.getByRole("button", { name: records.labels.button }));
    };
    const dialog = page.getByRole("dialog");
    const print = () => pressAt(dialog.getByRole("button", { name: records.labels.print, exact: true }));
    const small = records.labels.tooSmall(2, barcodes.join(", "));
    await open();
    await typeInto(dialog.getByLabel(records.labels.size), "24");
    await dialog.getByText(small).waitFor();
    await typeInto(dialog.getByLabel(records.labels.size), "11");
    await dialog.getByText(small).waitFor({ state: "detached" });
    await print();
    const lines = ["(QA)", ".C5+", "v.1", "v.2"];
    await isSoundOnPaper(page, {
      name: "spine-labels",
      language,
      says: lines,
      leftToRight: lines,
      pages: 2,
      size: [25, 38],
    });
    const edges = await page
      .locator("article.kept .item-label")
      .evaluateAll((labels) =>
        labels.map((label) => [getComputedStyle(label).direction, getComputedStyle(label).textAlign]),
      );
    assert.deepEqual(edges, Array(2).fill(["ltr", "start"]));

    await page.reload();
    await open();
    await chooseFrom(dialog.getByRole("button", { name: records.labels.kinds.spine }), records.labels.kinds.label);
    await pressAt(dialog.getByRole("checkbox", { name: records.labels.onSheet }), "Space");
    await print();
    const says = [TITLE, CALL_NUMBER, "Harbour: Fiction", ...barcodes];
    await isSoundOnPaper(page, {
      name: "labels",
      language,
      says,
      leftToRight: [TITLE, CALL_NUMBER],
      widths: [SHEET_MM],
    });
  });

  test(`the drawer's reports in ${language}: as it was closed, and by days`, async () => {
    await chargeFee(20);
    const page = await openDeskIn(language, "/drawer");
    await typeInto(page.getByLabel(drawer.open.float), "50");
    await page.keyboard.press("Enter");
    await page.getByLabel(drawer.close.counted).waitFor();
    await payFee("2.50");
    await page.reload();
    await page.getByRole("row", { name: /Cash/ }).first().waitFor();
    await typeInto(page.getByLabel(drawer.close.counted), "52");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: drawer.report.title }).waitFor();
    await pressAt(page.getByRole("button", { name: desk.print, exact: true }).first());
    const { title, opened, closed, difference } = drawer.report;
    const says = [title, opened, closed, difference, SERVICE_POINT, "52.50"];
    await isSoundOnPaper(page, { name: "drawer-closed", language, says });
    const days = page.getByRole("region", { name: drawer.days.title });
    await pressAt(days.getByRole("button", { name: desk.print, exact: true }));
    const sums = [drawer.days.title, ...Object.values(drawer.days.totals), drawer.days.total, SERVICE_POINT];
    await isSoundOnPaper(page, { name: "drawer-days", language, says: sums });
  });

  test(`the self-check's receipt in ${language} names what was borrowed, and nobody`, async () => {
    const made = await createShelvedTitle(`self-${language}`);
    const [barcode = ""] = made.barcodes;
    const page = await openDeskIn(language, "/self");
    await pressAt(page.getByRole("button", { name: self.setUp.start }));
    await page.getByRole("heading", { name: self.welcome }).waitFor();
    await page.locator(".scan input:focus").waitFor();
    await scan(page, FREYA);
    await page.getByRole("heading", { name: self.hello("Freya Nielsen") }).waitFor();
    await page.locator(".scan input:focus").waitFor();
    await scan(page, barcode);
    await pressAt(page.getByRole("button", { name: self.receipt }));
    const says = [TITLE, desk.checkOut.receiptTitle, SERVICE_POINT];
    await isSoundOnPaper(page, { name: "self-receipt", language, says, leftToRight: [TITLE] });
    const text = await page.locator("article.kept").textContent();
    assert.ok(!/Freya|Nielsen/.test(text ?? ""), text ?? "");
  });
}

/** Freya owes something to pay. */
async function chargeFee(amount: number): Promise<void> {
  const { owners } = await library.call<{ owners: { id: string; owner: string }[] }>("/owners?limit=1");
  const { feefines } = await library.call<{ feefines: { id: string; feeFineType: string }[] }>("/feefines?limit=1");
  await library.call("/accounts", {
    id: crypto.randomUUID(),
    userId: await createPatron(),
    amount,
    remaining: amount,
    status: { name: "Open" },
    paymentStatus: { name: "Outstanding" },
    feeFineId: feefines[0]?.id,
    feeFineType: feefines[0]?.feeFineType,
    ownerId: owners[0]?.id,
    feeFineOwner: owners[0]?.owner,
  });
}

/** She pays a part of it in cash, at Harbour Library's desk. */
async function payFee(amount: string): Promise<void> {
  const query = encodeURIComponent(`status.name=="Open" and userId==${await createPatron()}`);
  const { accounts } = await library.call<{ accounts: { id: string; remaining: number }[] }>(
    `/accounts?query=${query}`,
  );
  const account = accounts.find(({ remaining }) => remaining > Number(amount));
  await library.call(`/accounts/${account?.id}/pay`, {
    amount,
    paymentMethod: "Cash",
    notifyPatron: false,
    servicePointId: HARBOUR,
    userName: "Somebody",
  });
}
