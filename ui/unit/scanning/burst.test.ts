import { beforeEach, expect, test } from "vitest";
import type { addKeyToBurst } from "../../src/scanning/burst.ts";

let addKey: typeof addKeyToBurst;
let field: HTMLInputElement;
beforeEach(async () => {
  ({ addKeyToBurst: addKey } = await import("../../src/scanning/burst.ts"));
  field = document.createElement("input");
});

interface Key {
  key: string;
  /** Milliseconds after the one before. */
  after: number;
  in?: EventTarget;
  repeat?: boolean;
  ctrlKey?: boolean;
}

/** What is told of each key. */
function keys(...pressed: Key[]) {
  let now = 1_000;
  return pressed.map(({ key, after, in: target = field, ...held }) => {
    now += after;
    return addKey({ key, target, timeStamp: now, ...held } as unknown as KeyboardEvent);
  });
}

const typed = (text: string, after = 5): Key[] => [...text].map((key) => ({ key, after }));
const ENTER: Key = { key: "Enter", after: 5 };

test("a scan is what is typed quicker than any hand, with what stood in its field before", () => {
  field.value = "Dear";
  const all = keys(...typed("37001"), ENTER);
  expect(all.slice(0, -1)).toEqual([undefined, "growing", "growing", "growing", "growing"]);
  expect(all.at(-1)).toMatchObject({ text: "37001", before: "Dear", field });
});

test("a slow scanner is one, too", () => {
  expect(keys(...typed("37001000000096", 39), ENTER).at(-1)).toMatchObject({ text: "37001000000096" });
});

test("letters in capitals come with their shift key", () => {
  const all = keys(
    ...["A", "B", "C", "1", "2"].flatMap((key) => [
      { key: "Shift", after: 2 },
      { key, after: 2 },
    ]),
    ENTER,
  );
  expect(all.at(-1)).toMatchObject({ text: "ABC12" });
});

test.each([
  ["a hand", [...typed("37001", 120), ENTER]],
  ["a quick hand", [...typed("37001", 60), ENTER]],
  ["what is shorter than any barcode", [...typed("3700"), ENTER]],
  ["a barcode whose Enter a hand presses", [...typed("37001"), { ...ENTER, after: 101 }]],
  ["a key that is held down", [...typed("3"), ...typed("3333333").map((key) => ({ ...key, repeat: true })), ENTER]],
  ["keys with control", [...typed("37001").map((key) => ({ ...key, ctrlKey: true })), ENTER]],
  ["another key at the end", [...typed("37001"), { key: "Tab", after: 5 }, ENTER]],
])("%s is no scan", (_, pressed) => {
  expect(keys(...pressed).at(-1)).toBeUndefined();
});

test("a pause begins a new scan: what was typed before it is not part of it", () => {
  expect(keys(...typed("ab"), { key: "3", after: 101 }, ...typed("7001"), ENTER).at(-1)).toMatchObject({
    text: "37001",
  });
});

test.each([
  ["with what came as quickly before a pause", typed("27"), 500, { text: "2737001", before: "Dear" }],
  [
    "with what came before two pauses",
    [...typed("2"), { key: "7", after: 200 }],
    2_999,
    { text: "2737001", before: "Dear" },
  ],
  ["without what a hand has typed", typed("27", 60), 500, { text: "37001", before: "Dear" }],
  ["without what came long before", typed("27"), 3_001, { text: "37001", before: "Dear" }],
])("a scan is told %s, too", (_, earlier, pause, whole) => {
  field.value = "Dear";
  const [first = ENTER, ...rest] = typed("37001");
  const all = keys(...earlier, { ...first, after: pause }, ...rest, ENTER);
  expect(all.at(-1)).toMatchObject({ text: "37001", whole });
});

test("what goes to another field begins there", () => {
  const other = document.createElement("textarea");
  other.value = "note";
  const all = keys(...typed("370"), ...typed("01234").map((key) => ({ ...key, in: other })), { ...ENTER, in: other });
  expect(all.at(-1)).toMatchObject({ text: "01234", field: other, before: "note" });
});

test("a scan is told once", () => {
  expect(keys(...typed("37001"), ENTER, ENTER).at(-1)).toBeUndefined();
});
