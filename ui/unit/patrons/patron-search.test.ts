import { describe, expect, test } from "vitest";
import { filtersToCql, hasFilters, type PatronFilters } from "../../src/api/patron-search.ts";

const NOTHING: PatronFilters = { text: "", group: "", status: "", expired: false, owing: false, since: "" };
const NOW = "2026-11-25T12:00:00.000Z";
const query = (wanted: Partial<PatronFilters>) => filtersToCql({ ...NOTHING, ...wanted }, NOW);

describe("the list of patrons", () => {
  test("asks nothing until somebody does", () => {
    expect(query({})).toBeUndefined();
    expect(hasFilters(NOTHING)).toBe(false);
  });

  test("is narrowed by each filter alone", () => {
    expect(query({ group: "g-1" })).toBe('patronGroup=="g-1"');
    expect(query({ status: "active" })).toBe('active=="true"');
    expect(query({ status: "inactive" })).toBe('active=="false"');
    expect(query({ expired: true })).toBe(`expirationDate<"${NOW}"`);
    expect(query({ since: "2026-01-01T05:00:00.000Z" })).toBe('metadata.createdDate>="2026-01-01T05:00:00.000Z"');
  });

  test("is narrowed by all of them together, and by words", () => {
    expect(query({ text: "lee", group: "g", expired: true })).toMatch(
      new RegExp(`^\\(barcode=="lee\\*" or .*\\) and patronGroup=="g" and expirationDate<"${NOW}"$`),
    );
  });

  test("of those who owe is asked for, though fees are no part of the query", () => {
    expect(query({ owing: true })).toBeUndefined();
    expect(hasFilters({ ...NOTHING, owing: true })).toBe(true);
  });
});
