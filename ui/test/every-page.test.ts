/**
 * Every page that has a picture: it fits the window, axe finds no problem, and Tab leads to everything that can be
 * pressed or filled in. Each address that the desk knows has a picture.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { findUnreachable } from "./keyboard.ts";
import { checkPageNow, enterDesk, type Library, openLibrary } from "./library.ts";
import { collectFaults, showShot } from "./pages.ts";
import { arrangeRecords, type ShotRecords, shots } from "./shots.ts";

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

test("axe finds nothing on any page, each fits the window, and Tab leads everywhere; no address of the desk is left out", async () => {
  const page = await library.visit();
  await enterDesk(library, page);
  const paths: string[] = [];
  const faults: string[] = [];
  for (const shot of shots(known)) {
    const { name } = shot;
    await showShot(library, page, shot);
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
