import { expect, test } from "vitest";
import { type BrowsePosition, browseQuery } from "../../src/inventory/browsing.ts";

const place = (part: Partial<BrowsePosition>): BrowsePosition => ({
  from: "",
  after: "",
  before: "",
  type: undefined,
  ...part,
});

test("a list begins around what was typed, with some lines before it", () => {
  expect(browseQuery("subjects", place({ from: 'Sea "old"' }))).toEqual({
    query: '(value>="Sea \\"old\\"" or value<"Sea \\"old\\"")',
    limit: 30,
    precedingRecordsCount: 5,
  });
});

test("a list begins at its first line if nothing was typed", () => {
  expect(browseQuery("contributors", place({}))).toEqual({ query: 'name>="!"', limit: 30 });
});

test("pages before and behind go by the keys of the answer, wherever one began", () => {
  expect(browseQuery("call-numbers", place({ from: "PR", after: "PR 44034" }))).toEqual({
    query: 'itemEffectiveShelvingOrder>"PR 44034"',
    limit: 30,
  });
  expect(browseQuery("subjects", place({ before: "Sea" }))).toEqual({ query: 'value<"Sea"', limit: 30 });
});

test("call numbers of one type have a field of their own", () => {
  expect(browseQuery("call-numbers", place({ from: "823", type: "dewey" }))).toEqual({
    query: '(typedCallNumber>="823" or typedCallNumber<"823")',
    limit: 30,
    precedingRecordsCount: 5,
    callNumberType: "dewey",
  });
});
