/** The desk is tried in a browser by keyboard: a press of the mouse would also work on what no key leads to. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const TESTS = join(import.meta.dirname, "../test");

const BY_HAND = /\.(dbl)?click\(|\.tap\(|\.selectOption\(|\.(un)?check\(\)|\.dragTo\(|\.hover\(|\.mouse\./;

/**
 * Tests that also use the mouse: to compare it with the keyboard, or for what only a mouse does, such as selecting text
 * and ticking a range of rows by clicks.
 */
const BY_MOUSE_TOO = ["focus.test.ts", join("alone", "tables.test.ts")];

const byHand = (source: string) => source.split("\n").filter((line) => BY_HAND.test(line));

const files = readdirSync(TESTS, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

test("there are tests to look at", () => expect(files.length).toBeGreaterThan(40));

test.each(files.filter((file) => !BY_MOUSE_TOO.includes(file)))("%s uses no mouse", (file) => {
  expect(byHand(readFileSync(join(TESTS, file), "utf8"))).toEqual([]);
});

test.each(BY_MOUSE_TOO)("%s does, and says so", (file) => {
  const source = readFileSync(join(TESTS, file), "utf8");
  expect(byHand(source)).not.toEqual([]);
  expect(source).toContain("mouse");
});
