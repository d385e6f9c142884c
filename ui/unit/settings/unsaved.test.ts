import { expect, test } from "vitest";
import { hasChanges, withValue } from "../../src/settings/draft.ts";
import type { Spec } from "../../src/settings/kind.ts";

const specs: Spec[] = [
  { is: "text", at: "name", label: "Name" },
  { is: "number", at: "limit", label: "Limit" },
  { is: "yes", at: "loanable", label: "Loanable" },
];
const stored = { id: "p", name: "Three weeks", limit: 5, _version: 1 };

test("a form whose text was typed and taken back has no changes", () => {
  expect(hasChanges(stored, stored, specs)).toBe(false);
  const typed = withValue(stored, "name", "Four weeks");
  expect(hasChanges(typed, stored, specs)).toBe(true);
  // The members have another order now.
  expect(hasChanges(withValue(typed, "name", "Three weeks"), stored, specs)).toBe(false);
});

test("values that are stored alike are no change", () => {
  expect(hasChanges({ ...stored, limit: "5", loanable: false }, stored, specs)).toBe(false);
  expect(hasChanges({ ...stored, limit: "6" }, stored, specs)).toBe(true);
  expect(hasChanges({ ...stored, loanable: true }, stored, specs)).toBe(true);
});
