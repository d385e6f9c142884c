import { expect, test } from "vitest";
import { filtersFromAddress, withInstants } from "../../src/lists/asked.ts";
import { requestConditions } from "../../src/lists/request-kinds.ts";

const at = (address: Record<string, string>) => filtersFromAddress((name) => address[name] ?? "");

test("the days of the address are whole days of the library", () => {
  const { from, to, ends } = withInstants(at({ from: "2026-03-01", to: "2026-03-02" }), "America/New_York");
  expect([from, to, ends]).toEqual(["2026-03-01T05:00:00.000Z", "2026-03-03T04:59:59.000Z", ""]);
});

test("what is no day is none", () => {
  expect(at({ from: "yesterday", ends: "2026-02-30" })).toMatchObject({ from: "", ends: "" });
});

test("each filter is one condition, and a tag is a whole one", () => {
  expect(requestConditions(at({}))).toEqual([]);
  expect(requestConditions(at({ at: "harbour", type: "Hold", tag: "urgent", ends: "2026-03-01" }))).toEqual([
    'pickupServicePointId=="harbour"',
    'requestType=="Hold"',
    'tags.tagList=="*\\"urgent\\"*"',
    'requestExpirationDate<="2026-03-01"',
  ]);
});
