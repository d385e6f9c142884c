import { describe, expect, test } from "vitest";
import type { MappingField } from "../../src/api/import-profiles.ts";
import { findMistake, quotedTexts, unknownName } from "../../src/imports/profiles/expression.ts";
import { FORMS } from "../../src/imports/profiles/fields.ts";
import { draftFromFields, fieldsFromDraft, type MapDraft } from "../../src/imports/profiles/mapping.ts";

const ITEM = FORMS.ITEM ?? { root: "", sections: [] };
const HOLDINGS = FORMS.HOLDINGS ?? { root: "", sections: [] };
const NONE: MapDraft = { texts: {}, flags: {}, lists: {} };
const accepted = (from: unknown) => (from === "/locations" ? { id1: "Main" } : undefined);
const made = (draft: Partial<MapDraft>, form = ITEM, before: MappingField[] = []) => {
  const fields = fieldsFromDraft({ ...NONE, ...draft }, before, form, accepted);
  return (name: string) => fields.find((field) => field.name === name);
};

describe("fields of a mapping profile", () => {
  test("are stored as FOLIO's form stores them", () => {
    const field = made({
      texts: { barcode: " 945$b ", "permanentLocation.id": '"Main"' },
      flags: { discoverySuppress: "ALL_TRUE" },
    });
    expect(field("barcode")).toEqual({
      name: "barcode",
      enabled: "true",
      path: "item.barcode",
      value: "945$b",
      subfields: [],
    });
    expect(field("permanentLocation.id")).toMatchObject({
      path: "item.permanentLocation.id",
      acceptedValues: { id1: "Main" },
    });
    expect(field("discoverySuppress")).toMatchObject({ booleanFieldAction: "ALL_TRUE", value: "" });
    expect(field("copyNumber")).toMatchObject({ value: "" });
  });

  test("a list has lines, and what becomes of those that are there", () => {
    const field = made({
      lists: {
        notes: {
          action: "EXCHANGE_EXISTING",
          lines: [{ itemNoteTypeId: '"Note"', note: "945$n", staffOnly: "ALL_TRUE" }, {}],
        },
        formerIds: { action: "", lines: [{ formerId: "001" }] },
      },
    });
    expect(field("notes")).toMatchObject({
      path: "item.notes[]",
      repeatableFieldAction: "EXCHANGE_EXISTING",
      subfields: [
        {
          order: 0,
          path: "item.notes[]",
          fields: [
            { name: "itemNoteTypeId", path: "item.notes[].itemNoteTypeId", value: '"Note"', required: true },
            { name: "note", path: "item.notes[].note", value: "945$n" },
            { name: "staffOnly", path: "item.notes[].staffOnly", booleanFieldAction: "ALL_TRUE" },
          ],
        },
      ],
    });
    expect(field("notes")?.subfields?.length).toBe(1);
    expect(field("formerIds")).toMatchObject({
      repeatableFieldAction: "EXTEND_EXISTING",
      subfields: [{ fields: [{ path: "item.formerIds[]", value: "001" }] }],
    });
  });

  test("an action without lines is kept only where it needs none", () => {
    const field = made({
      lists: {
        notes: { action: "EXTEND_EXISTING", lines: [] },
        formerIds: { action: "DELETE_EXISTING", lines: [{ formerId: "001" }] },
      },
    });
    expect(field("notes")).not.toHaveProperty("repeatableFieldAction");
    expect(field("formerIds")).toMatchObject({ repeatableFieldAction: "DELETE_EXISTING", subfields: [] });
  });

  test("come back into the form as they were", () => {
    const draft: MapDraft = {
      texts: { barcode: "945$b", "materialType.id": '"book"; else "dvd"' },
      flags: { discoverySuppress: "ALL_FALSE" },
      lists: {
        notes: { action: "EXTEND_EXISTING", lines: [{ itemNoteTypeId: '"Note"', note: "945$n", staffOnly: "" }] },
      },
    };
    const again = draftFromFields(fieldsFromDraft(draft, [], ITEM, accepted), ITEM);
    expect(again.texts).toMatchObject(draft.texts);
    expect(again.flags).toEqual(draft.flags);
    expect(again.lists.notes).toEqual(draft.lists.notes);
  });

  test("are also read with the names and paths of other clients", () => {
    const fields: MappingField[] = [
      {
        name: "notes",
        enabled: "true",
        path: "holdings.notes[]",
        value: "",
        repeatableFieldAction: "DELETE_INCOMING",
        subfields: [
          {
            order: 0,
            path: "holdings.notes[]",
            fields: [
              { name: "noteType", path: "holdings.notes[].holdingsNoteTypeId", value: '"Binding"' },
              { name: "note", path: "holdings.notes[].note", value: '"x"' },
            ],
          },
        ],
      },
      { name: "location", enabled: "true", path: "holdings.permanentLocationId", value: "945$l", subfields: [] },
    ];
    const draft = draftFromFields(fields, HOLDINGS);
    expect(draft.lists.notes).toEqual({
      action: "DELETE_INCOMING",
      lines: [{ holdingsNoteTypeId: '"Binding"', note: '"x"', staffOnly: "" }],
    });
    expect(draft.texts.permanentLocationId).toBe("945$l");
  });

  test("that the form does not show stay as they were", () => {
    const other: MappingField = {
      name: "effectiveLocationId",
      enabled: "false",
      path: "item.effectiveLocationId",
      value: "",
    };
    expect(made({}, ITEM, [other])("effectiveLocationId")).toEqual(other);
  });
});

describe("an expression", () => {
  test.each([
    "",
    '"Main Library"',
    "945$a",
    '980$b " " 980$c',
    '945$a; else "x"',
    "008/36-38",
    "LDR/7",
    "001",
    "###TODAY###",
    "###remove###",
  ])("%j is understood", (expression) => {
    expect(findMistake(expression)).toBeUndefined();
  });

  test.each([
    ['"Main', { is: "quote" }],
    ['"with; else in it"', { is: "quote" }],
    ["Main", { is: "word", word: "Main" }],
    ["945$", { is: "word", word: "945$" }],
    ["945$ab", { is: "word", word: "945$ab" }],
    ["008/0", { is: "word", word: "008/0" }],
    ['945$a else "x"', { is: "else" }],
    ['945$a;else "x"', { is: "else" }],
  ])("%j is not", (expression, mistake) => {
    expect(findMistake(expression)).toEqual(mistake);
  });

  test("names values of a list, by name or code", () => {
    const values = ["Main (KU/M)", "Annex"];
    expect(quotedTexts('945$a; else "Main"')).toEqual(["Main"]);
    expect([
      unknownName('"main"', values),
      unknownName('"KU/M"', values),
      unknownName('"Main (KU/M)"', values),
      unknownName('945$l; else "Attic"', values),
    ]).toEqual([undefined, undefined, undefined, "Attic"]);
  });
});
