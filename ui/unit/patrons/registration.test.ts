import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { aYearFromToday, becomesActive, isExpired, lastRegistrationDay } from "../../src/patrons/registration.ts";

beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-11-26T03:00:00Z"), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const GROUP = { id: "1", group: "faculty" };

test("a registration is counted from the library's today, by the days that the group says", () => {
  // In New York it is still the 25th.
  expect(lastRegistrationDay({ ...GROUP, expirationOffsetInDays: 365 }, "America/New_York")).toBe("2027-11-25");
  expect(lastRegistrationDay({ ...GROUP, expirationOffsetInDays: 365 }, "Europe/Berlin")).toBe("2027-11-26");
  expect(lastRegistrationDay({ ...GROUP, expirationOffsetInDays: 0 }, "UTC")).toBe("2026-11-26");
});

test("a group that says nothing proposes nothing; a renewal is then for a year", () => {
  expect(lastRegistrationDay(GROUP, "UTC")).toBeUndefined();
  expect(lastRegistrationDay(undefined, "UTC")).toBeUndefined();
  expect(aYearFromToday("UTC")).toBe("2027-11-26");
});

test("only whoever is inactive since they expired becomes active again", () => {
  const over = { id: "1", expirationDate: "2026-01-31T23:59:59Z" };
  expect(isExpired(over)).toBe(true);
  expect(becomesActive({ ...over, active: false })).toBe(true);
  expect(becomesActive({ ...over, active: true })).toBe(false);
  expect(becomesActive({ id: "1", active: false })).toBe(false);
  expect(becomesActive({ id: "1", active: false, expirationDate: "2027-01-31T23:59:59Z" })).toBe(false);
});
