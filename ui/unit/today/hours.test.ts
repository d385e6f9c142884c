import { expect, test } from "vitest";
import { scaleTop } from "../../src/today/hours.tsx";

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
  expect(scaleTop(most)).toBe(top);
});
