import { describe, expect, test } from "vitest";
import type { ImportChange } from "../../src/api/imports.ts";
import { changedFields, fieldPlace, listPath } from "../../src/imports/changed.ts";

const change = (more: Partial<ImportChange>): ImportChange => ({
  recordOrder: 0,
  entityType: "INSTANCE",
  action: "UPDATE",
  ...more,
});

describe("the rows of a change", () => {
  test("have what was and what is, and leave out what the server writes for itself", () => {
    const rows = changedFields(
      change({
        fields: [
          { field: "title", before: "Old", after: "New" },
          { field: "_version", before: "1", after: "2" },
          { field: "metadata.updatedDate", before: "a", after: "b" },
          { field: "discoverySuppress", before: null, after: true },
        ],
      }),
    );
    expect(rows).toEqual([
      { path: "title", before: "Old", after: "New" },
      { path: "discoverySuppress", after: true },
    ]);
  });

  test("go into lists, a row for each value that came or went", () => {
    const rows = changedFields(
      change({ fields: [{ field: "identifiers[1]", before: null, after: { value: "978", identifierTypeId: "i" } }] }),
    );
    expect(rows).toEqual([
      { path: "identifiers[1].value", after: "978" },
      { path: "identifiers[1].identifierTypeId", after: "i" },
    ]);
  });

  test("show all of a record that comes, and all of one that goes", () => {
    const record = { id: "x", hrid: "in1", title: "A title", editions: ["2nd"], notes: [] };
    const of = (action: "CREATE" | "DELETE") => changedFields(change({ action, record }));
    expect(of("CREATE")).toEqual([
      { path: "title", after: "A title" },
      { path: "editions[0]", after: "2nd" },
    ]);
    expect(of("DELETE")[0]).toEqual({ path: "title", before: "A title" });
  });

  test("are lines of fields for a MARC record", () => {
    const fields = [{ field: "245", before: "10 $a Old", after: "10 $a New" }];
    expect(changedFields(change({ entityType: "MARC_BIBLIOGRAPHIC", fields }))).toEqual([
      { path: "245", before: "10 $a Old", after: "10 $a New" },
    ]);
  });
});

test.each([
  ["title", { member: "title" }, undefined],
  ["editions[0]", { line: 1, member: "editions" }, undefined],
  [
    "identifiers[2].identifierTypeId",
    { list: "identifiers", line: 3, member: "identifierTypeId" },
    "/identifier-types",
  ],
  ["statisticalCodeIds[0]", { line: 1, member: "statisticalCodeIds" }, "/statistical-codes"],
  ["status.name", { member: "status.name" }, undefined],
])("%s is a place in a record", (path, place, list) => {
  expect(fieldPlace(path)).toEqual(place);
  expect(listPath(path)).toBe(list);
});
