import { describe, expect, test } from "vitest";
import { Refused } from "../../src/api/http.ts";
import { cleanRecord, hasChanges, hasValues } from "../../src/inventory/editing/finished.ts";
import { HOLDINGS_SECTIONS } from "../../src/inventory/editing/holdings-fields.ts";
import { NEW_ITEM_SECTIONS } from "../../src/inventory/editing/item-fields.ts";
import { findProblem } from "../../src/inventory/editing/problems.ts";
import { type FormSection, type LinePartSpec, withoutFields } from "../../src/inventory/editing/spec.ts";
import { TITLE_SECTIONS } from "../../src/inventory/editing/title-fields.ts";
import { de } from "../../src/inventory/words/records-de.ts";
import { en } from "../../src/inventory/words/records-en.ts";

const fieldsOf = (sections: readonly FormSection[]) => sections.flatMap(({ fields }) => fields);
const TITLE = fieldsOf(TITLE_SECTIONS);
const ITEM = fieldsOf(NEW_ITEM_SECTIONS);

describe("what is sent", () => {
  test("has no blanks around texts, and nothing for what was left empty", () => {
    const record = { title: " Beloved ", indexTitle: "", editions: [" 1st ", " "], languages: ["eng", ""] };
    expect(cleanRecord(record, TITLE)).toEqual({ title: "Beloved", editions: ["1st"], languages: ["eng"] });
  });

  test("has only lines in which somebody has written", () => {
    const contributors = [
      { name: " Morrison, Toni", contributorNameTypeId: "p", contributorTypeText: "", primary: true, authorityId: "a" },
      { name: "", contributorNameTypeId: "p", primary: false },
    ];
    expect(cleanRecord({ contributors }, TITLE).contributors).toEqual([
      { name: "Morrison, Toni", contributorNameTypeId: "p", primary: true, authorityId: "a" },
    ]);
  });

  test("keeps what the form does not show", () => {
    const record = { title: "T", holdingsRecords2: [{ title: " x " }], tags: { tagList: ["Urgent ", "urgent", ""] } };
    expect(cleanRecord(record, TITLE)).toEqual({ ...record, tags: { tagList: ["urgent"] } });
  });

  test("has no object in which nothing is left", () => {
    expect(cleanRecord({ receivingHistory: { displayType: "" } }, fieldsOf(HOLDINGS_SECTIONS))).toEqual({});
  });
});

describe("a form", () => {
  test("is unsaved once it would send something else, whatever the order of its members", () => {
    const stored = { title: "T", publication: [{ place: "P", publisher: "Q" }] };
    expect(hasChanges({ publication: [{ publisher: "Q", place: "P" }], title: "T ", series: [] }, stored, TITLE)).toBe(
      false,
    );
    expect(hasChanges({ ...stored, title: "U" }, stored, TITLE)).toBe(true);
  });

  test("folds a section while it says nothing", () => {
    const notes = TITLE.filter(({ at }) => at === "notes");
    expect(hasValues({ notes: [] }, notes)).toBe(false);
    expect(hasValues({ notes: [{ note: "n" }] }, notes)).toBe(true);
  });

  test("leaves out what comes from MARC", () => {
    const rest = fieldsOf(withoutFields(TITLE_SECTIONS, ["title", "notes", "contributors"])).map(({ at }) => at);
    expect(rest).not.toContain("title");
    expect(rest).toContain("tags.tagList");
  });

  test.each([
    ["English", en],
    ["German", de],
  ])("has words for every field in %s", (_, words) => {
    const all = [TITLE_SECTIONS, HOLDINGS_SECTIONS, NEW_ITEM_SECTIONS].flatMap(fieldsOf);
    const parts = all.flatMap((spec): readonly LinePartSpec[] => (spec.is === "list" ? spec.parts : []));
    const nameless = [...all, ...parts].filter(({ at }) => words.fields[at] === undefined);
    expect(nameless).toEqual([]);
    const lists = all.filter(({ is }) => is === "list" || is === "texts");
    expect(lists.filter(({ at }) => words.adds[at] === undefined)).toEqual([]);
  });
});

describe("a refusal", () => {
  const refused = (message: string, key?: string) =>
    new Refused(422, [{ message, ...(key && { parameters: [{ key, value: "x" }] }) }]);

  test("stands at the field that it is about", () => {
    expect(findProblem(refused("Barcode must be unique, 1 is already assigned to another item"), ITEM)).toEqual({
      at: "barcode",
    });
    expect(findProblem(refused("must not be null", "materialTypeId"), ITEM)?.at).toBe("materialType");
    expect(findProblem(refused("must not be null", "notes[0].note"), ITEM)?.at).toBe("notes");
    expect(findProblem(refused("wrong", "status"), ITEM)?.at).toBe("status.name");
  });

  test("of no field is said of the whole", () => {
    expect(findProblem(refused("HRID can not be updated", "hrid"), ITEM)).toBeUndefined();
    expect(findProblem(new Error("lost"), ITEM)).toBeUndefined();
  });
});
