import { expect, test } from "vitest";
import { ruleLinesById } from "../../src/settings/uses.ts";

const POLICY = "d9cd0bed-1b49-4b5e-a7bd-064b8d177231";

test("a line that names a record is found, however the id is written, and no comment is", () => {
  const lines = ruleLinesById(
    `priority: t, s\nfallback-policy: l ${POLICY}\nm book: l ${POLICY.toUpperCase()}\n# l ${POLICY}`,
  );
  expect(lines.get(POLICY)).toEqual([2, 3]);
  expect(lines.size).toBe(1);
});
