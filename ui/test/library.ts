/** Starts a fresh demo library on a free port, and a browser that opens it, for one file of tests. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach } from "node:test";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type Browser, type BrowserContext, chromium, type Locator, type Page, type Request } from "playwright-core";

/** Harbour Library's desk. */
export const SERVICE_POINT = "Harbour Library desk";
const HARBOUR = "33154e2e-7bf2-585b-9b21-e1dafd383e05";

const TENANT = "diku";
const ADMINISTRATOR = { username: "diku_admin", password: "admin" };

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** How long a test waits for something, on a computer that has other work, in milliseconds. */
const PATIENCE_MS = 30_000;

export interface Library {
  address: string;
  /** A page of a browser that has never been here; `flags` are Chromium's. */
  visit: (size?: { width: number; height: number }, ...flags: string[]) => Promise<Page>;
  /** A call as an administrator, to arrange what a test needs. */
  call: <T>(path: string, body?: unknown, method?: string) => Promise<T>;
  /** The barcodes of items on the shelf that every patron may borrow. */
  lendable: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** For so many milliseconds a page sends no request once it is complete. */
const QUIET_MS = 500;

/** The browser contexts of the running test. */
let visitors: BrowserContext[] = [];

/** A visitor's requests that have no answer yet, and when the last one began or ended, in milliseconds since 1970. */
interface Traffic {
  open: Set<Request>;
  last: number;
}

const traffic = new WeakMap<BrowserContext, Traffic>();

function countRequests(visitor: BrowserContext): void {
  const requests: Traffic = { open: new Set(), last: Date.now() };
  const ended = (request: Request) => {
    requests.open.delete(request);
    requests.last = Date.now();
  };
  visitor.on("request", (request) => {
    requests.open.add(request);
    requests.last = Date.now();
  });
  visitor.on("requestfinished", ended);
  visitor.on("requestfailed", ended);
  traffic.set(visitor, requests);
}

// Where `node --test` runs a file: a page that stays open would call the server and play sounds during later tests.
if (process.env.NODE_TEST_CONTEXT) {
  // Contexts that were opened before the first test stay for all tests.
  beforeEach(() => {
    visitors = [];
  });
  afterEach(() => Promise.all(visitors.map((visitor) => visitor.close())));
}

/** Opens a library; `settings` are command line flags of the server. */
export async function openLibrary(...settings: string[]): Promise<Library> {
  const folder = mkdtempSync(join(tmpdir(), "octavo-desk-"));
  // PostgreSQL runs as a user of its own where tests run as root.
  chmodSync(folder, 0o755);
  const data = join(folder, "data");
  copyDemo(data);
  // A server that is already running, during work on the desk.
  const server = process.env.OCTAVO_DESK ? undefined : serve(data, settings);
  const address = process.env.OCTAVO_DESK || (await waitForAddress(server));
  const executablePath = chromiumPath();
  // One browser for each set of flags.
  const browsers = new Map<string, Promise<Browser>>();
  let token: string | undefined;
  const call = async <T>(path: string, body?: unknown, method = body === undefined ? "GET" : "POST") => {
    token ??= await logIn(address);
    const answer = await fetch(address + path, {
      method,
      // Several modules have custom fields: a call names the one that is meant.
      headers: { "content-type": "application/json", "x-okapi-token": token, "x-okapi-module-id": "mod-users-19.3.1" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text ? JSON.parse(text) : undefined) as T;
  };
  return {
    address,
    visit: async (size = { width: 1280, height: 800 }, ...flags) => {
      const started = browsers.get(flags.join(" ")) ?? chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
      browsers.set(flags.join(" "), started);
      const visitor = { viewport: size, locale: "en-US", timezoneId: "America/New_York" };
      const context = await (await started).newContext(visitor);
      visitors.push(context);
      countRequests(context);
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      await slowDown(page);
      return page;
    },
    call,
    lendable: () => findLendable(call),
    close: async () => {
      await Promise.all([...browsers.values()].map(async (browser) => (await browser).close()));
      await stopServer(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Slows down a page by the factor in `OCTAVO_SLOW_BROWSER`: then steps that a test does not wait for fail. */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env.OCTAVO_SLOW_BROWSER ?? 1);
  if (rate > 1) await (await page.context().newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate });
}

/**
 * Copies the demo library that `all.ts` has made, with the owner of each file. A file that is run by itself makes one.
 */
function copyDemo(data: string): void {
  const demo = process.env.OCTAVO_DEMO;
  if (demo === undefined || process.env.OCTAVO_DESK) return;
  const { status, stderr } = spawnSync("cp", ["-a", demo, data], { encoding: "utf8" });
  if (status !== 0) throw new Error(`the demo library was not copied: ${stderr}`);
}

/** Starts a server of the demo library in a data folder, which is made if it is not there. */
export function serve(data: string, settings: string[]): ChildProcess {
  const program = resolve(process.env.OCTAVO_PROGRAM ?? "../target/debug/octavo");
  if (!existsSync(program))
    throw new Error(`${program} is not built: run \`make test\`, or name one in OCTAVO_PROGRAM`);
  // A copy: runs that are begun at the desk leave their reports there.
  const reports = join(data, "..", "lab-reports");
  cpSync(resolve("../tests/lab"), reports, { recursive: true });
  const flags = ["--data-dir", data, "--listen", "127.0.0.1:0", "--log", "off", "--lab-reports", reports, ...settings];
  return spawn(program, ["serve", "--demo", ...flags], { stdio: ["ignore", "pipe", "inherit"] });
}

async function findLendable(call: Library["call"]): Promise<string[]> {
  const query = encodeURIComponent('status.name=="Available" sortBy barcode');
  const { items } = await call<{ items: Item[] }>(`/inventory/items?limit=200&query=${query}`);
  const isOnShelf = ({ effectiveLocation }: Item) => /: (Fiction|Non-fiction)$/.test(effectiveLocation.name);
  return items.filter((item) => item.materialType.name === "book" && isOnShelf(item)).map(({ barcode }) => barcode);
}

interface Item {
  barcode: string;
  materialType: { name: string };
  effectiveLocation: { name: string };
}

/** The address of the server, from its first line of output, which it prints once the demo library is filled. */
export async function waitForAddress(server: ChildProcess | undefined): Promise<string> {
  for await (const line of createInterface({ input: server?.stdout ?? process.stdin })) {
    const address = /Octavo answers on (\S+)/.exec(line)?.[1];
    if (address) return address.replace("127.0.0.1", "localhost");
  }
  throw new Error("the server ended before it answered");
}

export function stopServer(server: ChildProcess | undefined): Promise<void> {
  return new Promise((done) => {
    if (server === undefined || server.exitCode !== null) return done();
    server.once("exit", () => done());
    server.kill("SIGTERM");
  });
}

function chromiumPath(): string {
  // The shell, which shows no window, takes half of the processor's time.
  const usual = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
  const places = [process.env.CHROMIUM, ...usual.map((name) => `/usr/bin/${name}`)];
  const found = places.find((place) => place !== undefined && existsSync(place));
  if (found === undefined) throw new Error("no Chromium: run scripts/setup.sh, or name one in CHROMIUM");
  return found;
}

async function logIn(address: string): Promise<string> {
  const answer = await fetch(`${address}/authn/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-okapi-tenant": TENANT },
    body: JSON.stringify(ADMINISTRATOR),
  });
  return ((await answer.json()) as { okapiToken: string }).okapiToken;
}

/** Signs in to the demo library and chooses Harbour Library's service point, as staff do. */
export async function enterByDoor(library: Library, page: Page, path = "/check-out"): Promise<void> {
  await page.goto(`${library.address}/desk${path}`);
  await page.getByRole("button", { name: "Look around the demo library" }).press("Enter");
  await page.getByRole("button", { name: SERVICE_POINT }).press("Enter");
  await waitForInput(page);
}

/** Opens a page of the desk that has a field with the focus, in a browser where somebody has signed in already. */
export async function enterDesk(library: Library, page: Page, path = "/check-out"): Promise<void> {
  await openDesk(library, page, path);
  await waitForInput(page);
}

/**
 * Opens a page of the desk in a browser where somebody has signed in already and chosen Harbour Library's service
 * point. The pages of the door are left out: they take as much time as all that a short test does afterwards.
 */
export async function openDesk(library: Library, page: Page, path: string): Promise<void> {
  const answer = await page.context().request.post(`${library.address}/authn/login-with-expiry`, {
    headers: { "x-okapi-tenant": TENANT },
    data: ADMINISTRATOR,
  });
  assert.equal(answer.status(), 201, await answer.text());
  await page.addInitScript(
    (place) => {
      if (localStorage.getItem("octavo.place") === null) localStorage.setItem("octavo.place", place);
    },
    JSON.stringify({ tenant: TENANT, servicePoint: HARBOUR }),
  );
  await page.goto(`${library.address}/desk${path}`);
}

/** A locator would look twice a second only. */
const waitForInput = (page: Page) => page.waitForFunction(() => document.activeElement?.matches("main input"));

/** Creates a staff member who has only these permissions and works at Harbour Library's service point. */
export async function createStaff(library: Library, username: string, permissions: readonly string[]): Promise<void> {
  const user = {
    id: randomUUID(),
    username,
    active: true,
    personal: { lastName: username, email: "desk@example.org" },
  };
  await library.call("/users", user);
  await library.call("/authn/credentials", { userId: user.id, username, password: "Twelve-letters-1" });
  await library.call("/perms/users", { userId: user.id, permissions });
  await library.call("/service-points-users", {
    userId: user.id,
    servicePointsIds: [HARBOUR],
    defaultServicePointId: HARBOUR,
  });
}

/** Signs in as such a staff member, who has a single service point and does not have to choose it. */
export async function signInAs(library: Library, page: Page, username: string, path: string): Promise<void> {
  await page.goto(`${library.address}/desk${path}`);
  await page.getByLabel("User name").fill(username);
  await page.getByLabel("Password").fill("Twelve-letters-1");
  await page.keyboard.press("Enter");
  await page.getByRole("navigation").first().waitFor();
}

/** Takes screenshots of a page, wide and narrow, light and dark, into the folder `OCTAVO_SHOTS`, if it is set. */
export async function takeShot(page: Page, name: string): Promise<void> {
  const folder = process.env.OCTAVO_SHOTS;
  const before = page.viewportSize();
  if (!folder || !before) return;
  for (const width of [1280, 400]) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null });
}

/** Types barcodes as a scanner does, each followed by Enter. */
export async function scan(page: Page, ...barcodes: string[]): Promise<void> {
  for (const barcode of barcodes) {
    await page.keyboard.type(barcode);
    await page.keyboard.press("Enter");
  }
}

/** Types a barcode at the speed of a scanner, by the time stamps of the keys, where no page waits for each key. */
export async function scanQuickly(page: Page, barcode: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // A test types as fast as a scanner: without a pause, what it has just typed would be the beginning of the scan.
  await page.waitForTimeout(200);
  const start = Date.now() / 1000;
  for (const [place, text] of [...barcode, "\r"].entries()) {
    const key = text === "\r" ? "Enter" : text;
    const at = {
      key,
      text,
      timestamp: start + place * 0.005,
      windowsVirtualKeyCode: key === "Enter" ? 13 : key.charCodeAt(0),
    };
    await session.send("Input.dispatchKeyEvent", { type: "keyDown", ...at });
    await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...at });
  }
  await session.detach();
}

/** The row of a scan, found by a text in it. */
export const row = (page: Page, text: string) => page.getByRole("listitem").filter({ hasText: text });

/** Waits until a field that takes the focus by itself has it: keys that are pressed before go elsewhere. */
export const waitForFocus = (page: Page, field: Locator) => field.and(page.locator(":focus")).waitFor();

/** Waits until a value that is read from the page equals the expected one. */
export async function waitUntilEqual<T>(read: () => Promise<T>, expected: T, message?: string): Promise<void> {
  const last = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await read();
    if (isDeepStrictEqual(value, expected)) return;
    if (Date.now() > last) assert.deepStrictEqual(value, expected, message);
    await setTimeout(20);
  }
}

/**
 * Waits until a page has sent no request for a while, and so is complete. Playwright's own `networkidle` is a state of
 * a page that the browser loads: a page that the desk opens without loading has it at once.
 */
export async function waitUntilQuiet(page: Page): Promise<void> {
  const requests = traffic.get(page.context());
  assert.ok(requests, "a page of a visitor whom `visit` has let in");
  const { open } = requests;
  const began = Date.now();
  for (;;) {
    const now = Date.now();
    if (open.size === 0 && now - Math.max(began, requests.last) >= QUIET_MS) return;
    if (now - began > PATIENCE_MS) {
      assert.fail(`after ${PATIENCE_MS} ms still asked for: ${[...open].map((request) => request.url()).join(", ")}`);
    }
    await setTimeout(20);
  }
}

/**
 * Waits until a page is complete, then checks that it fits the width of the window and that axe finds no accessibility
 * problem.
 */
export async function checkPage(page: Page, name: string): Promise<void> {
  await waitUntilQuiet(page);
  await checkPageNow(page, name);
}

/** The same for a page that is known to be complete. */
export async function checkPageNow(page: Page, name: string): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(over <= 0, `${name} is ${over} pixels too wide`);
  assert.deepEqual(await axeViolations(page), [], name);
}

/** A closing dialog returns the focus within two frames: a test must wait for that, a person is never so quick. */
const waitForFocusReturn = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame);
  });

/** Moves to a button of this name by Tab and presses Enter, as somebody without a mouse does. */
export async function pressButton(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).first().waitFor();
  await waitForFocusReturn(page);
  for (let tabs = 0; tabs < 60; tabs++) {
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent?.trim();
    });
    if (focused === name) return page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
  }
  assert.fail(`no way to “${name}” by keyboard`);
}

/** Presses Save, or another button that sends a form, and returns the status of the server's answer. */
export async function submitForm(page: Page, name = "Save"): Promise<number> {
  const sent = (method: string, url: string) => method !== "GET" && !url.includes("/preview");
  const answer = page.waitForResponse((answer) => sent(answer.request().method(), answer.url()));
  await page.getByRole("button", { name, exact: true }).press("Enter");
  return (await answer).status();
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The violations of WCAG 2.2 AA that axe finds, as texts. */
export async function axeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const axe = (window as unknown as { axe: AxeOfPage }).axe;
    // Popovers are above the page and outside of its regions.
    const rules = { region: { enabled: false } };
    // Nothing is told of what is right, and no selectors are made for what is wrong.
    const how = { runOnly: tags, rules, resultTypes: ["violations"], selectors: false };
    const { violations } = await axe.run(document, how);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  });
}

/** The texts of elements that reach beyond the right edge of their box, or whose content is wider than they are. */
export function findOverflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll("main .patron, main .card, main .row, main header, main .people")];
    const over = boxes.flatMap((box) => {
      const { right } = box.getBoundingClientRect();
      const inside = [...box.querySelectorAll("*")].filter((one) => !one.closest(".unseen"));
      return inside.filter(
        (one) => one.getBoundingClientRect().right > right + 1 || one.scrollWidth > one.clientWidth + 1,
      );
    });
    return over.filter((one) => getComputedStyle(one).display !== "inline").map((one) => one.textContent ?? "");
  });
}

interface AxeOfPage {
  run: (where: Document, how: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

export type { Locator, Page };
