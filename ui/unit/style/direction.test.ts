/** Style sheets name the start and the end of a line, not left and right, so that they hold in either direction. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readingKey } from "../../src/parts/reading-key.ts";

const SOURCES = join(import.meta.dirname, "../../src");

const PHYSICAL = [
  /(^|-)(left|right)(-|$)/,
  // Coordinates along the line; turning and moving up and down are the same in both directions.
];
const PHYSICAL_VALUES: readonly [property: RegExp, value: RegExp][] = [
  [/^(text-align|float|clear|justify-.*|caption-side)$/, /\b(left|right)\b/],
  [/^background(-.*)?$/, /\bto (left|right)\b|\b(left|right)\b/],
  [/^(transform|translate)$/, /translateX\(|translate\(\s*-?[1-9.]|translate3d\(/],
];

/** Of four values the second and the fourth are right and left; they have to be the same. */
function differsBySide(property: string, value: string): boolean {
  if (!/^(margin|padding|inset|border-(width|color|style)|scroll-(margin|padding))$/.test(property)) return false;
  const parts = value.match(/(?:[^\s()]|\([^()]*(?:\([^()]*\)[^()]*)*\))+/g) ?? [];
  return parts.length === 4 && parts[1] !== parts[3];
}

/** What a style sheet says of left and right. A rule that turns what it draws, such as a tick, draws it by sides. */
function physical(css: string): string[] {
  return [...css.replaceAll(/\/\*[\s\S]*?\*\//g, "").matchAll(/\{([^{}]*)\}/g)].flatMap(([, rule = ""]) => {
    const declarations = rule
      .split(";")
      .map((line) => line.trim())
      .filter(Boolean);
    const turns = declarations.some((line) => /^transform:.*rotate\(/.test(line));
    return declarations.filter((line) => {
      const [property = "", value = ""] = line.split(/:\s*/, 2);
      return (
        PHYSICAL.some((pattern) => pattern.test(property)) ||
        PHYSICAL_VALUES.some(([of, says]) => of.test(property) && says.test(value)) ||
        (!turns && differsBySide(property, value))
      );
    });
  });
}

const sheets = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".css"));

test("there are style sheets to look at", () => expect(sheets.length).toBeGreaterThan(10));

test.each(sheets)("%s names no side", (sheet) => {
  expect(physical(readFileSync(join(SOURCES, sheet), "utf8"))).toEqual([]);
});

test.each([
  "margin-left: 1rem",
  "border-top-right-radius: 2px",
  "left: 0",
  "text-align: right",
  "padding: 0 1rem 0 2rem",
  "inset: 0 auto auto 0",
  "transform: translateX(1rem)",
  "background: linear-gradient(to right, red, blue)",
])("%s is found", (line) => expect(physical(`.a { ${line}; }`)).toEqual([line]));

test.each([
  "margin-inline-start: 1rem",
  "padding: 0 calc(1rem + 2px) 1px calc(1rem + 2px)",
  "inset: 0",
  "text-align: end",
  "border-width: 0 2px 2px 0; transform: rotate(45deg)",
  "transform: translateY(-25%)",
])("%s is the same in either direction", (line) => expect(physical(`.a { ${line}; }`)).toEqual([]));

test("arrow keys follow the direction of the page", () => {
  expect(readingKey("ArrowLeft")).toBe("ArrowLeft");
  document.documentElement.dir = "rtl";
  expect(readingKey("ArrowLeft")).toBe("ArrowRight");
  expect(readingKey("ArrowRight")).toBe("ArrowLeft");
  expect(readingKey("ArrowUp")).toBe("ArrowUp");
  document.documentElement.dir = "";
});
