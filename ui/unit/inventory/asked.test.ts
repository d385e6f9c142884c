import { describe, expect, test } from "vitest";
import {
  readSearch,
  searchAddress,
  searchQuery,
  sortedQuery,
  type TitleSearch,
  toAddress,
} from "../../src/inventory/asked.ts";
import { facetQueries, facetRequest, valuesToShow } from "../../src/inventory/facets.ts";
import { SEARCH_OPTIONS, type SearchOption } from "../../src/inventory/options.ts";

const asked = (part: Partial<TitleSearch>): TitleSearch => ({
  text: "",
  option: "anything",
  chosen: {},
  sort: "relevance",
  ...part,
});

describe("the address", () => {
  test.each<Partial<TitleSearch>>([
    {},
    { text: "old man & sea = 100%?" },
    { text: 'subjects="x, y"', option: "cql", sort: "-title" },
    { chosen: { location: ["1", "2"], tag: ["a,b", "c&d"], staffSuppress: ["true"] }, sort: "contributors" },
  ])("keeps %j", (part) => {
    const address = new URLSearchParams(String(toAddress(asked(part))));
    expect(readSearch(address)).toEqual(asked(part));
  });

  test("of what it does not know takes nothing", () => {
    const address = new URLSearchParams("query=+sea+&option=toString&sort=price&location=&page=3");
    expect(readSearch(address)).toEqual(asked({ text: "sea" }));
  });

  test("of an option is short", () => {
    expect(searchAddress("subjectHeading", "Whaling--Fiction")).toBe(
      "/inventory?query=Whaling--Fiction&option=subjectHeading",
    );
    expect(searchAddress("anything", "sea")).toBe("/inventory?query=sea");
  });
});

describe("a search", () => {
  test.each<[SearchOption, string, string]>([
    ["title", "old sea", '(title all "old sea")'],
    ["title", 'the "sea*"', '(title all "the \\"sea*\\"")'],
    ["title", "who?", '(title all "who\\?")'],
    ["identifier", "978", '(identifiers.value=="978" or isbn=="978")'],
    ["instanceNotes", "gift", '(notes.note all "gift" or administrativeNotes all "gift")'],
    ["subjectHeading", "Sea*", 'subjects.value==/string "Sea\\*"'],
    ["callNumber", "PR4034*", '(itemFullCallNumbers=="PR4034*")'],
    ["cql", 'title="sea" or hrid==in1', 'title="sea" or hrid==in1'],
  ])("by %s for %j", (option, text, expected) => {
    expect(searchQuery(asked({ option, text }))).toBe(expected);
  });

  test("for everything looks for beginnings of call numbers and of ISBN where that may be meant", () => {
    expect(SEARCH_OPTIONS.anything("sea")).not.toContain("itemNormalizedCallNumbers");
    expect(SEARCH_OPTIONS.anything("PR 4034")).toContain('itemNormalizedCallNumbers=="PR 4034*"');
    expect(SEARCH_OPTIONS.anything("978-0-14")).toContain('isbn=="978-0-14*"');
    expect(SEARCH_OPTIONS.anything("a*")).toContain('items.barcode=="a\\*"');
  });

  test("is narrowed by filters, and is one of them or everything if there are no words", () => {
    const chosen = { language: ["eng", "ger"] };
    expect(searchQuery(asked({ option: "isbn", text: "1", chosen }))).toBe(
      '(isbn=="1") and languages==("eng" or "ger")',
    );
    expect(searchQuery(asked({ option: "cql", text: "a=1 or b=2", chosen }))).toBe(
      '(a=1 or b=2) and languages==("eng" or "ger")',
    );
    expect(searchQuery(asked({ chosen }))).toBe('languages==("eng" or "ger")');
    expect(searchQuery(asked({}))).toBe("cql.allRecords=1");
  });

  test("is in the order that was chosen", () => {
    expect(sortedQuery(asked({ option: "isbn", text: "1" }))).toBe('(isbn=="1")');
    expect(sortedQuery(asked({ option: "isbn", text: "1", sort: "-title" }))).toBe(
      '(isbn=="1") sortBy title/sort.descending',
    );
    expect(sortedQuery(asked({ chosen: { language: ["eng"] } }))).toBe('languages==("eng" or "eng") sortBy title');
  });

  test("in CQL may bring its own order, which filters do not come behind", () => {
    const own = asked({ option: "cql", text: 'a="x sortBy y" sortBy title', chosen: { source: ["MARC"] } });
    expect(sortedQuery(own)).toBe('(a="x sortBy y") and source==("MARC" or "MARC") sortBy title');
    expect(sortedQuery({ ...own, sort: "contributors" })).toBe(
      '(a="x sortBy y") and source==("MARC" or "MARC") sortBy contributors',
    );
    expect(sortedQuery(asked({ option: "cql", text: 'a="x sortBy y"' }))).toBe('a="x sortBy y"');
  });
});

describe("filters", () => {
  test("of a value with quotation marks stay one value", () => {
    expect(facetQueries({ tag: ['a" or "b'] })).toEqual(['instanceTags==("a\\" or \\"b" or "a\\" or \\"b")']);
  });

  test("ask for one value more than is shown, beside those that are ticked", () => {
    expect(facetRequest({ language: ["eng", "ger"] })).toContain(
      "items.status.name:6,items.effectiveLocationId:6,languages:10",
    );
  });

  test("show ticked values first, also those that no title has", () => {
    const values = ["a", "b", "c"].map((id, place) => ({ id, totalRecords: 9 - place }));
    expect(valuesToShow(values, ["z", "b"], 3).map(({ id, totalRecords }) => `${id} ${totalRecords}`)).toEqual([
      "z 0",
      "b 8",
      "a 9",
    ]);
    expect(valuesToShow(values, [], 2)).toHaveLength(2);
  });
});
