import { describe, expect, test } from "vitest";
import { dayOfInstant, instantOfDay } from "../../src/settings/days.ts";

describe("days of settings", () => {
  test.each(["America/New_York", "UTC", "Europe/Berlin", "Asia/Tokyo", "Pacific/Kiritimati"])(
    "are the same when they are read again: %s",
    (timeZone) => {
      // The second is the day on which summer time begins, the last what a date field has while a year is typed.
      for (const day of ["2026-01-01", "2026-03-29", "2026-12-31", "0002-01-01"]) {
        for (const isEnd of [false, true]) expect(dayOfInstant(instantOfDay(day, timeZone, isEnd), timeZone)).toBe(day);
      }
    },
  );

  test("begin and end at the library's midnight", () => {
    expect(instantOfDay("2026-01-01", "America/New_York", false)).toBe("2026-01-01T05:00:00.000Z");
    expect(instantOfDay("2026-06-30", "Europe/Berlin", true)).toBe("2026-06-30T21:59:59.999Z");
  });

  test("are read as FOLIO writes them", () => {
    expect(dayOfInstant("2026-12-31T23:59:59.999+00:00", "UTC")).toBe("2026-12-31");
    expect(dayOfInstant("2025-12-31T23:00:00.000+0000", "Europe/Berlin")).toBe("2026-01-01");
  });
});
