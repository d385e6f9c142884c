/**
 * Every page that has a picture: it fits the window, axe finds no problem, and Tab leads to everything that can be
 * pressed or filled in. Each address that the desk knows has a picture.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { findUnreachable } from "./keyboard.ts";
import { checkPageNow, enterDesk, type Library, openLibrary, type Page, waitUntilQuiet } from "./library.ts";
import { arrangeRecords, type Shot, type ShotRecords, shots } from "./shots.ts";

let library: Library;
let known: ShotRecords;
before(async () => {
  library = await openLibrary();
  known = await arrangeRecords(library);
});
after(() => library?.close());

/** Addresses, as these files of the desk name them. */
const ROUTED = ["desk.tsx", "settings/page.tsx", "imports/page.tsx", "imports/profiles/page.tsx"];
const MORE_ROUTED = ["authorities/page.tsx", "marc/page.tsx", "inventory/cataloguing.tsx"];
/** Of whoever follows the link of an e-mail, a former address, and what only leads on. */
const ELSEWHERE = ["/new-password/:token", "/settings/letters/:id?", "/"];

function addresses(): string[] {
  const sources = [...ROUTED, ...MORE_ROUTED].map((file) =>
    readFileSync(join(import.meta.dirname, "../../src", file), "utf8"),
  );
  const all = sources.flatMap((source) => [...source.matchAll(/<Route path="([^"]+)"/g)].map(([, path = ""]) => path));
  return all.filter((path) => !ELSEWHERE.includes(path));
}

/** `/inventory/:id/*` is fitted by `/inventory/1/edit`. */
const fitsWidth = (address: string) =>
  new RegExp(
    `^${address
      .replace(/\/:\w+\?/g, "(/[^/]+)?")
      .replace(/:\w+/g, "[^/]+")
      .replace(/\/\*\??/g, "(/.*)?")}$`,
  );

const goTo = async (page: Page, path: string) => {
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${library.address}/desk${path}`);
  await page.locator(":is(main, .self) :is(h1, .empty)").first().waitFor({ state: "attached" });
};

/** Makes the page of a picture; at its end the buttons that stay at the foot of the window lie over nothing else. */
async function show(page: Page, { path, prepare }: Shot): Promise<void> {
  await goTo(page, path);
  if (prepare) {
    await waitUntilQuiet(page);
    await prepare(page);
  }
  await waitUntilQuiet(page);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
}

/** All that is wrong on all pages is told at once. */
const collectFaults = (faults: string[], page: Promise<void>) =>
  page.catch((error: unknown) => faults.push(error instanceof Error ? error.message : String(error)));

test("axe finds nothing on any page, each fits the window, and Tab leads everywhere; no address of the desk is left out", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  const paths: string[] = [];
  const faults: string[] = [];
  for (const shot of shots(known)) {
    const { name } = shot;
    await show(page, shot);
    await collectFaults(faults, checkPageNow(page, name));
    paths.push(new URL(page.url()).pathname.replace("/desk", ""));
    // What is printed stands beside the desk: of the page itself nothing comes on the paper.
    await page.emulateMedia({ media: "print" });
    if (await page.locator("#desk").isVisible()) faults.push(`${name} is printed`);
    await page.emulateMedia({ media: null });
    for (const one of await findUnreachable(page)) faults.push(`${name}: no way by Tab to ${one}`);
  }
  assert.deepEqual(faults, []);
  const all = addresses();
  assert.ok(all.length > 30, `${all.length} addresses`);
  assert.deepEqual(
    all.filter((address) => !paths.some((path) => fitsWidth(address).test(path))),
    [],
  );
});

/** Past the door in Arabic, in the dark, on a telephone. */
async function openInArabic(): Promise<Page> {
  const page = await library.visit({ width: 375, height: 740 });
  await page.addInitScript(() =>
    localStorage.setItem("octavo.preferences", JSON.stringify({ language: "ar", theme: "dark" })),
  );
  await page.goto(`${library.address}/desk/check-out`);
  await page.locator(".demo button").press("Enter");
  await page.getByRole("button", { name: "Harbour Library desk" }).press("Enter");
  await page.locator("main input:focus").waitFor();
  return page;
}

/** What stands out of a dialog at its side: the page around it does not become wider by it. */
const findCutOffTexts = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll(".modal, .modal .buttons, .modal .field, .modal .row, .popover")]
      .filter((box) => box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).display !== "inline")
      .map((box) => `${box.className}: ${box.scrollWidth} of ${box.clientWidth} pixels`),
  );

async function isSoundInArabic(page: Page, name: string): Promise<void> {
  await checkPageNow(page, name);
  assert.deepEqual(await findCutOffTexts(page), [], `${name}: cut off`);
}

test("nor in Arabic, in the dark, on a telephone, with all that is done on the pages", async () => {
  const page = await openInArabic();
  const faults: string[] = [];
  for (const shot of shots(known, "ar")) {
    await show(page, shot);
    await collectFaults(faults, isSoundInArabic(page, shot.name));
  }
  assert.deepEqual(faults, []);
});
