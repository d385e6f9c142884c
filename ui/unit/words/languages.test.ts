import { expect, test } from "vitest";
import { ar as batches } from "../../src/batches/words/ar.ts";
import { ar } from "../../src/words/ar.ts";
import { pluralizer } from "../../src/words/counting.ts";
import { t, withoutIsolates } from "../../src/words/isolate.ts";
import { directionOf, localeTag } from "../../src/words/languages.ts";

test("Arabic has six forms, by the number", () => {
  expect([0, 1, 2, 3, 10, 11, 99, 100, 102, 103].map(batches.items)).toEqual([
    "لا مواد",
    "مادة واحدة",
    "مادتان",
    "3 مواد",
    "10 مواد",
    "11 مادة",
    "99 مادة",
    "100 مادة",
    "102 مادة",
    "103 مواد",
  ]);
});

test("a language without a form for a number takes the usual one, and writes large numbers its way", () => {
  const forms = { one: "{} Titel", other: "{} Titel" };
  expect(pluralizer("de")(12345, forms)).toBe("12.345 Titel");
  expect(pluralizer("en")(0, { one: "{} item", other: "{} items" })).toBe("0 items");
});

test("texts in a sentence keep their direction; numbers and what is empty need no marks", () => {
  expect(t`إلى ${"823.914 WOO"}: ${3}${""}`).toBe("إلى \u2068823.914 WOO\u2069: 3");
  expect(withoutIsolates(ar.checkIn.goes.shelf("Fiction"))).toBe("إلى الرف: Fiction");
});

test("what is written into records and mails has no marks of direction", () => {
  expect(ar.checkOut.receiptSubject("Westhaven")).not.toMatch(/[\u2066-\u2069]/);
});

test("a region of the language decides how it is written; one of another language does not", () => {
  expect(localeTag("en", "en-GB")).toBe("en-GB");
  expect(localeTag("de", "en-US")).toBe("de");
  expect(localeTag("en", "en-US-u-nu-latn")).toBe("en-US");
});

test("Arabic is written from right to left, with days of the Gregorian calendar and these digits, in any region", () => {
  expect(directionOf("ar")).toBe("rtl");
  expect(directionOf("de")).toBe("ltr");
  for (const region of ["ar-EG", "ar-SA", "en-US"]) {
    const day = new Intl.DateTimeFormat(localeTag("ar", region), { timeZone: "UTC", dateStyle: "long" });
    expect(day.format(new Date("2026-11-22T00:00:00Z"))).toContain("2026");
  }
  expect(localeTag("ar", "ar-EG")).toBe("ar-EG-u-ca-gregory-nu-latn");
});
