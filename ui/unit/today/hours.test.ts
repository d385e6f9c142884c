import { expect, test } from "vitest";
import { topOf } from "../../src/today/hours.tsx";

test.each([
  [0, 2],
  [1, 2],
  [3, 4],
  [10, 10],
  [11, 20],
  [99, 100],
  [100, 100],
  [101, 200],
])("for %i the scale ends at %i", (most, top) => {
  expect(topOf(most)).toBe(top);
});
