import { describe, expect, test } from "vitest";
import type { MatchProfile } from "../../src/api/import-profiles.ts";
import {
  blankDetail,
  missingPlaces,
  valueAt,
  withMarcValue,
  withMember,
  withoutEmptyQualifier,
  withTypes,
} from "../../src/imports/profiles/match.ts";

const marc = (tag: string, code: string) =>
  withMarcValue(
    withMarcValue(blankDetail("MARC_BIBLIOGRAPHIC", "INSTANCE").incomingMatchExpression, "field", tag),
    "recordSubfield",
    code,
  );

describe("what a match profile compares", () => {
  test("is a MARC field with four labels, filled or not", () => {
    expect(marc("035", "a").fields).toEqual([
      { label: "field", value: "035" },
      { label: "indicator1", value: "" },
      { label: "indicator2", value: "" },
      { label: "recordSubfield", value: "a" },
    ]);
  });

  test("is a member of a record, with the type that is wanted", () => {
    const expression = withMember({ dataValueType: "VALUE_FROM_RECORD" }, "INSTANCE", "instance.identifiers[].value");
    expect(expression.fields).toEqual([
      { label: "field", value: "instance.identifiers[].value" },
      { label: "identifierTypeId", value: "" },
    ]);
    expect(valueAt(withMember(expression, "INSTANCE", "instance.hrid"), "field")).toBe("instance.hrid");
  });

  test("goes with the type of record that it was said of", () => {
    const profile: MatchProfile = {
      name: "m",
      incomingRecordType: "MARC_BIBLIOGRAPHIC",
      existingRecordType: "INSTANCE",
      matchDetails: [{ ...blankDetail("MARC_BIBLIOGRAPHIC", "INSTANCE"), incomingMatchExpression: marc("035", "a") }],
    };
    const [changed] = withTypes(profile, "MARC_BIBLIOGRAPHIC", "ITEM").matchDetails ?? [];
    expect(valueAt(changed?.incomingMatchExpression ?? marc("", ""), "field")).toBe("035");
    expect(valueAt(changed?.existingMatchExpression ?? marc("", ""), "field")).toBe("item.id");
    const [fixed] = withTypes(profile, "STATIC_VALUE", "INSTANCE").matchDetails ?? [];
    expect(fixed?.incomingMatchExpression.dataValueType).toBe("STATIC_VALUE");
  });
});

test.each([
  ["nothing", { incomingMatchExpression: marc("035", "a") }, []],
  ["a field", { incomingMatchExpression: marc("35", "a") }, ["incoming.field"]],
  ["a subfield", { incomingMatchExpression: marc("035", "") }, ["incoming.recordSubfield"]],
  ["no subfield of a control field", { incomingMatchExpression: marc("001", "") }, []],
  [
    "the type of identifier",
    {
      incomingMatchExpression: marc("001", ""),
      existingMatchExpression: withMember(
        { dataValueType: "VALUE_FROM_RECORD" },
        "INSTANCE",
        "instance.identifiers[].value",
      ),
    },
    ["existing.type"],
  ],
  [
    "the last day",
    {
      incomingMatchExpression: {
        dataValueType: "STATIC_VALUE" as const,
        staticValueDetails: { staticValueType: "DATE_RANGE" as const, fromDate: "2026-01-01" },
      },
    },
    ["incoming.toDate"],
  ],
])("%s is missing", (_, part, expected) => {
  expect(missingPlaces({ ...blankDetail("MARC_BIBLIOGRAPHIC", "INSTANCE"), ...part })).toEqual(expected);
});

test("an empty qualifier is not sent", () => {
  const expression = { ...marc("035", "a"), qualifier: { qualifierType: "", comparisonPart: "NUMERICS_ONLY" } };
  expect(withoutEmptyQualifier(expression).qualifier).toEqual({ comparisonPart: "NUMERICS_ONLY" });
  expect(withoutEmptyQualifier({ ...expression, qualifier: { qualifierType: "" } })).not.toHaveProperty("qualifier");
});
