/** Parts of the desk whose code cannot be loaded, and parts that fail. */

import { act, Suspense } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Link, useLocation } from "wouter";
import { Boundary } from "../../src/parts/boundary.tsx";
import { later, loadPatiently } from "../../src/parts/later.ts";
import { en } from "../../src/words/en.ts";
import { Network } from "../browser.ts";
import { answerWith, settled, show } from "../screen.tsx";

let network: Network;
beforeEach(() => {
  network = new Network();
  answerWith(network, { "GET /_/proxy/health": {} });
});
afterEach(() => {
  vi.useRealTimers();
});

test("code that cannot be loaded without a connection is loaded as soon as it is back", async () => {
  vi.useFakeTimers();
  network.isUp = false;
  const load = vi.fn(async () => {
    if (!network.isUp) throw new TypeError("Failed to fetch dynamically imported module");
    return "the code";
  });
  const loaded = loadPatiently(load);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load.mock.calls.length).toBeGreaterThan(10);
  network.isUp = true;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await loaded).toBe("the code");
});

test("code that the server has no longer is asked for twice", async () => {
  const load = vi.fn(() => Promise.reject(new TypeError("gone")));
  await expect(loadPatiently(load)).rejects.toThrow("gone");
  expect(load).toHaveBeenCalledTimes(2);
});

const Gone = later(() => Promise.reject(new Error("gone")));

function Desk() {
  const [path] = useLocation();
  return (
    <>
      <nav>The desk</nav>
      <Link href="/check-in">Check in</Link>
      <Boundary path={path}>
        <Suspense>{path === "/lists" ? <Gone /> : <p>Returns</p>}</Suspense>
      </Boundary>
    </>
  );
}

test("a page that fails leaves the rest of the desk, and another page is shown", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  await show("/lists", <Desk />);
  await settled();
  expect(document.body.textContent).toContain("The desk");
  expect(document.body.textContent).toContain(en.errors.page);
  await act(() => document.querySelector("a")?.click());
  await settled();
  expect(document.body.textContent).toContain("Returns");
  expect(document.body.textContent).not.toContain(en.errors.page);
});
