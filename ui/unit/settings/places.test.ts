import { describe, expect, test } from "vitest";
import { findSettings } from "../../src/settings/places.ts";
import { de } from "../../src/settings/words/de.ts";
import { en } from "../../src/settings/words/en.ts";

const slugs = (text: string) => findSettings(text, en).map(({ slug }) => slug);

describe("a setting is found", () => {
  test("by its name, before those that only mention it", () => {
    expect(slugs("service points")[0]).toBe("service-points");
    expect(slugs("loan polic")[0]).toBe("loan-policies");
  });

  test("by a label of its form, which is told", () => {
    const [first] = findSettings("grace", en);
    expect(first?.slug).toBe("loan-policies");
    expect(first?.label?.toLowerCase()).toContain("grace");
  });

  test("in German", () => {
    expect(findSettings("Kalender", de).map(({ slug }) => slug)).toContain("calendars");
  });

  test("only by words that are all there", () => {
    expect(slugs("loan xyzzy")).toEqual([]);
    expect(slugs("  ")).toEqual([]);
  });
});
