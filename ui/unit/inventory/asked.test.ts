import { describe, expect, test } from "vitest";
import { type Asked, addressOf, query, queryInOrder, read, written } from "../../src/inventory/asked.ts";
import { filters, shown, wanted } from "../../src/inventory/facets.ts";
import { OPTIONS, type Option } from "../../src/inventory/options.ts";

const asked = (part: Partial<Asked>): Asked => ({
  text: "",
  option: "anything",
  chosen: {},
  sort: "relevance",
  ...part,
});

describe("the address", () => {
  test.each<Partial<Asked>>([
    {},
    { text: "old man & sea = 100%?" },
    { text: 'subjects="x, y"', option: "cql", sort: "-title" },
    { chosen: { location: ["1", "2"], tag: ["a,b", "c&d"], staffSuppress: ["true"] }, sort: "contributors" },
  ])("keeps %j", (part) => {
    const address = new URLSearchParams(String(written(asked(part))));
    expect(read(address)).toEqual(asked(part));
  });

  test("of what it does not know takes nothing", () => {
    const address = new URLSearchParams("query=+sea+&option=toString&sort=price&location=&page=3");
    expect(read(address)).toEqual(asked({ text: "sea" }));
  });

  test("of an option is short", () => {
    expect(addressOf("subjectHeading", "Whaling--Fiction")).toBe(
      "/inventory?query=Whaling--Fiction&option=subjectHeading",
    );
    expect(addressOf("anything", "sea")).toBe("/inventory?query=sea");
  });
});

describe("a search", () => {
  test.each<[Option, string, string]>([
    ["title", "old sea", '(title all "old sea")'],
    ["title", 'the "sea*"', '(title all "the \\"sea*\\"")'],
    ["title", "who?", '(title all "who\\?")'],
    ["identifier", "978", '(identifiers.value=="978" or isbn=="978")'],
    ["instanceNotes", "gift", '(notes.note all "gift" or administrativeNotes all "gift")'],
    ["subjectHeading", "Sea*", 'subjects.value==/string "Sea\\*"'],
    ["callNumber", "PR4034*", '(itemFullCallNumbers=="PR4034*")'],
    ["cql", 'title="sea" or hrid==in1', 'title="sea" or hrid==in1'],
  ])("by %s for %j", (option, text, expected) => {
    expect(query(asked({ option, text }))).toBe(expected);
  });

  test("for everything looks for beginnings of call numbers and of ISBN where that may be meant", () => {
    expect(OPTIONS.anything("sea")).not.toContain("itemNormalizedCallNumbers");
    expect(OPTIONS.anything("PR 4034")).toContain('itemNormalizedCallNumbers=="PR 4034*"');
    expect(OPTIONS.anything("978-0-14")).toContain('isbn=="978-0-14*"');
    expect(OPTIONS.anything("a*")).toContain('items.barcode=="a\\*"');
  });

  test("is narrowed by filters, and is one of them or everything if there are no words", () => {
    const chosen = { language: ["eng", "ger"] };
    expect(query(asked({ option: "isbn", text: "1", chosen }))).toBe('(isbn=="1") and languages==("eng" or "ger")');
    expect(query(asked({ option: "cql", text: "a=1 or b=2", chosen }))).toBe(
      '(a=1 or b=2) and languages==("eng" or "ger")',
    );
    expect(query(asked({ chosen }))).toBe('languages==("eng" or "ger")');
    expect(query(asked({}))).toBe("cql.allRecords=1");
  });

  test("is in the order that was chosen", () => {
    expect(queryInOrder(asked({ option: "isbn", text: "1" }))).toBe('(isbn=="1")');
    expect(queryInOrder(asked({ option: "isbn", text: "1", sort: "-title" }))).toBe(
      '(isbn=="1") sortBy title/sort.descending',
    );
    expect(queryInOrder(asked({ chosen: { language: ["eng"] } }))).toBe('languages==("eng" or "eng") sortBy title');
  });

  test("in CQL may bring its own order, which filters do not come behind", () => {
    const own = asked({ option: "cql", text: 'a="x sortBy y" sortBy title', chosen: { source: ["MARC"] } });
    expect(queryInOrder(own)).toBe('(a="x sortBy y") and source==("MARC" or "MARC") sortBy title');
    expect(queryInOrder({ ...own, sort: "contributors" })).toBe(
      '(a="x sortBy y") and source==("MARC" or "MARC") sortBy contributors',
    );
    expect(queryInOrder(asked({ option: "cql", text: 'a="x sortBy y"' }))).toBe('a="x sortBy y"');
  });
});

describe("filters", () => {
  test("of a value with quotation marks stay one value", () => {
    expect(filters({ tag: ['a" or "b'] })).toEqual(['instanceTags==("a\\" or \\"b" or "a\\" or \\"b")']);
  });

  test("ask for one value more than is shown, beside those that are ticked", () => {
    expect(wanted({ language: ["eng", "ger"] })).toContain(
      "items.status.name:6,items.effectiveLocationId:6,languages:10",
    );
  });

  test("show ticked values first, also those that no title has", () => {
    const values = ["a", "b", "c"].map((id, place) => ({ id, totalRecords: 9 - place }));
    expect(shown(values, ["z", "b"], 3).map(({ id, totalRecords }) => `${id} ${totalRecords}`)).toEqual([
      "z 0",
      "b 8",
      "a 9",
    ]);
    expect(shown(values, [], 2)).toHaveLength(2);
  });
});
