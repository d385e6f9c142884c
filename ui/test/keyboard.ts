/**
 * Uses pages without a mouse: `Tab` until an element has the focus, then keys for that element. Playwright's own `fill`
 * and `press` set the focus themselves, so they also work on elements that no key leads to.
 */

import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { waitUntilQuiet } from "./library.ts";

/** More than any page has things to come to. */
const MOST_STEPS = 250;

/** After so many steps of a round through a page it is looked whether the round is closed. */
const STEPS_AT_ONCE = 8;

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** A closing dialog returns the focus within two frames: a test must wait for that, a person is never so quick. */
const focusHasSettled = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
  });

/** Presses a key until an element has the focus. */
async function pressUntilFocused(page: Page, key: string, target: Locator): Promise<void> {
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`no way to ${target} by ${key}`);
}

/** Presses Tab until an element has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  const page = target.page();
  await target.first().waitFor();
  await focusHasSettled(page);
  await pressUntilFocused(page, "Tab", target.first());
}

/** Moves to a button, a link or a field by Tab, and presses a key there. */
export async function pressAt(target: Locator, key = "Enter"): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press(key);
}

/** Moves to a field by Tab, and replaces its text. */
export async function typeInto(field: Locator, text: string): Promise<void> {
  await tabTo(field);
  await field.page().keyboard.press("Control+a");
  await field.page().keyboard.type(text);
}

/** Moves to an option of the focused list by arrow keys, and presses Enter. */
export async function takeOption(option: Locator): Promise<void> {
  const page = option.page();
  await option.first().waitFor();
  await page.locator('[role="option"]:focus').waitFor();
  await page.keyboard.press("Home");
  await pressUntilFocused(page, "ArrowDown", option.first());
  await page.keyboard.press("Enter");
}

/** Moves by Tab to a button that opens a list, and chooses one of its options by arrow keys. */
export async function chooseFrom(button: Locator, option: string | RegExp): Promise<void> {
  await pressAt(button);
  await takeOption(button.page().getByRole("option", { name: option, exact: true }));
  await button.page().locator(".popover").waitFor({ state: "detached" });
}

/** Moves by Tab to a field that narrows a list below it, types a text, and chooses an option. */
export async function findIn(field: Locator, text: string, option: string | RegExp): Promise<void> {
  const page = field.page();
  await typeInto(field, text);
  const found = page.getByRole("option", { name: option });
  await found.first().waitFor();
  // Until the server has answered for the whole text, options come and go.
  await waitUntilQuiet(page);
  for (let tabs = 0; tabs < 5 && (await page.locator('[role="option"]:focus').count()) === 0; tabs++) {
    await page.keyboard.press("Tab");
  }
  await takeOption(found);
}

/**
 * Moves once through the page with Tab, and returns the elements that cannot be reached by keyboard. Of elements that
 * share a tab stop, such as the rows of a list or the tabs of a page, the others are reached by arrow keys.
 */
export async function findUnreachable(page: Page): Promise<string[]> {
  const stops = await page.evaluate(() => {
    const reached = new Set<Element>();
    const round: TabRound = { reached, isClosed: false };
    // The element that the first Tab leads to.
    let first: EventTarget | null = null;
    let isAway = false;
    document.addEventListener("focusin", ({ target }) => {
      reached.add(target as Element);
      first ??= target;
      isAway ||= target !== first;
      round.isClosed ||= isAway && target === first;
    });
    if (document.activeElement) reached.add(document.activeElement);
    Object.assign(window, { round });
    const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]").length;
    // The parts of a date and of a time are stops of their own.
    const parts = 4 * document.querySelectorAll("input:is([type=date], [type=time], [type=datetime-local])").length;
    return all + parts + 5;
  });
  // Once round, past the end of the page and back to where it began; a few steps more do no harm.
  for (let tabs = 0; tabs < stops; tabs++) {
    await page.keyboard.press("Tab");
    if (tabs % STEPS_AT_ONCE > 0) continue;
    if (await page.evaluate(() => (window as unknown as { round: TabRound }).round.isClosed)) break;
  }
  return page.evaluate(() => {
    const { reached } = (window as unknown as { round: TabRound }).round;
    const SHARED =
      "[role=grid], [role=treegrid], [role=listbox], [role=tablist], [role=radiogroup], [role=toolbar], [role=menu]";
    // Elements that nobody sees (of one pixel) with tabindex -1, such as the file input behind a button, do not count.
    const isDot = (one: Element) => one.getBoundingClientRect().width <= 1;
    const isInDot = (one: Element | null): boolean =>
      one !== null && ((isDot(one) && getComputedStyle(one).overflow === "hidden") || isInDot(one.parentElement));
    const isShown = (one: Element) =>
      one.checkVisibility({ visibilityProperty: true }) &&
      !(one.matches("[tabindex='-1']") && (isDot(one) || isInDot(one.parentElement))) &&
      !one.closest("[inert], [aria-hidden=true], :disabled, [aria-disabled=true]");
    const isShared = (one: Element) => {
      const group = one.closest(SHARED);
      if (group === null) return one.matches("[data-day]") && [...reached].some((stop) => stop.matches("[data-day]"));
      return [...reached].some((stop) => group.contains(stop));
    };
    const isOfRadios = (one: Element) =>
      one instanceof HTMLInputElement &&
      one.type === "radio" &&
      [...reached].some((stop) => stop instanceof HTMLInputElement && stop.name === one.name);
    return [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
      .filter((one) => isShown(one) && !reached.has(one) && !isShared(one) && !isOfRadios(one))
      .map((one) => one.outerHTML.slice(0, 160));
  });
}

/** The state that is kept in the page during the round. */
interface TabRound {
  reached: Set<Element>;
  /** Whether the focus has come back to the element where the round began. */
  isClosed: boolean;
}
