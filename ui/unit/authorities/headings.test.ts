import { expect, test } from "vitest";
import { countRemaining, isRunning, searchQuery } from "../../src/authorities/calls.ts";
import { headingsOf } from "../../src/authorities/headings.ts";

test("an authority tells its headings, wherever FOLIO keeps them", () => {
  const twain = {
    id: "1",
    personalName: "Twain, Mark, 1835-1910",
    sftPersonalName: ["Clemens, Samuel"],
    saftPersonalName: ["Snodgrass, Quintus Curtius"],
    sftCorporateNameTitle: ["Firm. Title"],
  };
  expect(headingsOf(twain)).toEqual({
    heading: "Twain, Mark, 1835-1910",
    kind: "Personal Name",
    seeFrom: ["Clemens, Samuel", "Firm. Title"],
    seeAlso: ["Snodgrass, Quintus Curtius"],
  });
  expect(headingsOf({ id: "2", meetingNameTitle: "Congress. Papers" }).kind).toBe("Conference Name");
  expect(headingsOf({ id: "3" })).toEqual({ heading: "", kind: undefined, seeFrom: [], seeAlso: [] });
});

test.each([
  [{ words: "", kind: "", file: "", references: true }, "cql.allRecords=1"],
  [{ words: "", kind: "Topical", file: "", references: false }, 'headingType=="Topical" and authRefType=="Authorized"'],
  [
    { words: "mark", kind: "", file: "f", references: true },
    '(keyword all "mark" or naturalId=="mark" or identifiers.value="mark") and sourceFileId=="f"',
  ],
])("the search %o", (asked, expected) => {
  expect(searchQuery(asked)).toBe(expected);
});

test("a change runs while titles are left and nobody has said that it ended", () => {
  const change = {
    id: "1",
    authorityId: "a",
    action: "UPDATE_HEADING",
    lbTotal: 5,
    lbUpdated: 3,
    lbFailed: 1,
  } as const;
  expect(countRemaining(change)).toBe(1);
  expect(isRunning(change)).toBe(true);
  expect(isRunning({ ...change, lbFailed: 2 })).toBe(false);
  expect(isRunning({ ...change, metadata: { completedAt: "2026-11-28T00:00:00Z" } })).toBe(false);
});
