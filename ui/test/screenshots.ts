/**
 * `npm run screenshots`: every page of a fresh demo library at three widths, into `docs/desk`, with the page that shows
 * the pictures. `npm run screenshots -- title pay` takes only these two. For other looks, which are not kept:
 * `OCTAVO_SCREENSHOTS=FOLDER` (as PNG), `OCTAVO_THEME=dark` or `contrast`, `OCTAVO_WIDTHS=phone`,
 * `OCTAVO_LANGUAGE=ar`.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openLibrary, type Page, SERVICE_POINT, waitUntilQuiet } from "./library.ts";
import { arrangeRecords, type ShotRecords, shots, takeOffline } from "./shots.ts";
import type { SpokenLanguage } from "./spoken.ts";

const WIDTHS = { phone: [375, 740], tablet: [820, 1100], desk: [1280, 800] } as const;
type Width = keyof typeof WIDTHS;
/** The largest height of a picture, as a multiple of its width. */
const MAX_HEIGHT = { phone: 3, tablet: 1.6, desk: 1 } as const;

const folder = resolve(process.env.OCTAVO_SCREENSHOTS ?? "../docs/desk");
// PNG is for people without a viewer for WebP.
const format = process.env.OCTAVO_SCREENSHOTS ? "png" : "webp";
const theme = process.env.OCTAVO_THEME ?? "light";
const widths = Object.keys(WIDTHS).filter((width) => (process.env.OCTAVO_WIDTHS ?? width).includes(width)) as Width[];
const language = (process.env.OCTAVO_LANGUAGE ?? "en") as SpokenLanguage;
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);

const library = await openLibrary();
try {
  mkdirSync(folder, { recursive: true });
  const known = await arrangeRecords(library);
  for (const width of widths) await takeAll(width, known);
  if (!process.env.OCTAVO_SCREENSHOTS) writeGallery(known);
} finally {
  await library.close();
}

async function takeAll(width: Width, known: ShotRecords): Promise<void> {
  const [wide, high] = WIDTHS[width];
  const size = { width: wide, height: high };
  const page = await visit(size);
  await page.goto(`${library.address}/desk/check-out`);
  const demo = page.locator(".demo button");
  await demo.waitFor();
  await takePicture(page, "sign-in", width);
  await demo.press("Enter");
  await page.getByRole("button", { name: SERVICE_POINT }).waitFor();
  await takePicture(page, "service-point", width);
  await enterAnew(page);
  for (const { name, path, prepare, from } of shots(known, language)) {
    if (!isWanted(name)) continue;
    // Scans of the previous page must not appear on this one.
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`${library.address}/desk${path}`);
    await page.locator("main :is(h1, .empty)").first().waitFor({ state: "attached" });
    await waitUntilQuiet(page);
    await prepare?.(page);
    await waitUntilQuiet(page);
    await takePicture(page, name, width, from);
  }
  await page.context().close();
  if (!isWanted("offline") || language !== "en") return;
  const away = await visit(size);
  await takeOffline(library, away);
  await takePicture(away, "offline", width);
  await away.context().close();
}

async function visit(size: { width: number; height: number }): Promise<Page> {
  const page = await library.visit(size);
  // The computer may have other work.
  page.setDefaultTimeout(120_000);
  const like = JSON.stringify({ theme, language, sounds: true, printSlips: false });
  await page.addInitScript((like) => localStorage.setItem("octavo.preferences", like), like);
  return page;
}

async function enterAnew(page: Page): Promise<void> {
  await page.getByRole("button", { name: SERVICE_POINT }).press("Enter");
  await page.locator("main input:focus").waitFor();
}

async function takePicture(page: Page, name: string, width: Width, from?: string): Promise<void> {
  if (!isWanted(name)) return;
  // Waits until nothing moves any more.
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForTimeout(250);
  const [wide, high] = WIDTHS[width];
  const { tall, over } = await page.evaluate(() => ({
    tall: document.documentElement.scrollHeight,
    over: document.documentElement.scrollWidth - window.innerWidth,
  }));
  if (over > 0) console.error(`${name} is ${over} pixels too wide at ${width}`);
  // A dialog lies above the visible part of the page.
  const isAbove = (await page.getByRole("dialog").count()) > 0;
  const y = isAbove ? await page.evaluate(() => window.scrollY) : await findTop(page, from);
  const height = isAbove ? high : Math.max(high, Math.min(tall - y, wide * MAX_HEIGHT[width]));
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", {
    format,
    quality: 60,
    captureBeyondViewport: !isAbove,
    clip: { x: 0, y, width: wide, height, scale: 1 },
  });
  writeFileSync(join(folder, `${name}-${width}.${format}`), Buffer.from(data, "base64"));
}

async function findTop(page: Page, from?: string): Promise<number> {
  if (from === undefined) return 0;
  return page
    .locator(from)
    .evaluate((element) => Math.max(0, element.getBoundingClientRect().top + window.scrollY - 16));
}

/** Writes the page that shows all pictures. */
function writeGallery(known: ShotRecords): void {
  const names = ["sign-in", "service-point", ...shots(known).map(({ name }) => name), "offline"];
  const lines = names.map((name) => {
    const pictures = ["desk", "tablet", "phone"].map((width) => `![${name}, ${width}](desk/${name}-${width}.webp)`);
    return `## ${name}\n\n| desk | tablet | phone |\n|---|---|---|\n| ${pictures.join(" | ")} |\n`;
  });
  const head =
    "# The desk, page by page\n\nEvery page at three widths, from the demo library. Made by `npm run screenshots` in `ui/`; see [the desk](desk.md).\n\n";
  writeFileSync(resolve("../docs/desk-pictures.md"), head + lines.join("\n"));
}
