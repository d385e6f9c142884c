/** Shows the pages of the pictures one after the other, for tests of every page. */

import { type Library, type Page, waitUntilQuiet } from "./library.ts";
import type { Shot } from "./shots.ts";

const goTo = async (library: Library, page: Page, path: string) => {
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${library.address}/desk${path}`);
  // Asked in each frame: a locator asks twice a second only.
  await page.waitForFunction(() => document.querySelector(":is(main, .self) :is(h1, .empty)"));
};

/** Makes the page of a picture; at its end the buttons that stay at the foot of the window lie over nothing else. */
export async function showShot(library: Library, page: Page, { path, prepare }: Shot): Promise<void> {
  await goTo(library, page, path);
  if (prepare) {
    await waitUntilQuiet(page);
    await prepare(page);
  }
  await waitUntilQuiet(page);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
}

/** All that is wrong on all pages is told at once. */
export const collectFaults = (faults: string[], page: Promise<void>) =>
  page.catch((error: unknown) => faults.push(error instanceof Error ? error.message : String(error)));
