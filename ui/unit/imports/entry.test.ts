import { describe, expect, test } from "vitest";
import type { LogEntry } from "../../src/api/imports.ts";
import { countsByEntity, errorsByReason, outcomesOfEntry, readableError } from "../../src/imports/entry.ts";
import { explainError } from "../../src/imports/reasons.ts";
import { en } from "../../src/imports/words/en.ts";

const NOTHING = { idList: [], hridList: [] };
const entry = (more: Partial<LogEntry>): LogEntry => ({
  sourceRecordOrder: "0",
  relatedInstanceInfo: NOTHING,
  ...more,
});

describe("an entry of the log", () => {
  test("tells of all that was made, with the ways there", () => {
    const told = outcomesOfEntry(
      entry({
        sourceRecordActionStatus: "CREATED",
        error: "",
        relatedInstanceInfo: { actionStatus: "CREATED", idList: ["t"], hridList: ["in1"], error: "" },
        relatedHoldingsInfo: [{ actionStatus: "CREATED", id: "h", hrid: "ho1", error: "" }],
        relatedItemInfo: [{ actionStatus: "UPDATED", id: "i", hrid: "it1", holdingsId: "h", error: "" }],
      }),
    );
    expect(told).toEqual([
      { entity: "source", status: "CREATED" },
      { entity: "instance", status: "CREATED", number: "in1", path: "/inventory/t" },
      { entity: "holdings", status: "CREATED", number: "ho1", path: "/inventory/t" },
      { entity: "item", status: "UPDATED", number: "it1", path: "/inventory/t/items/i" },
    ]);
  });

  test("says nothing of what it has nothing about", () => {
    expect(outcomesOfEntry(entry({ relatedAuthorityInfo: NOTHING, relatedItemInfo: [] }))).toEqual([]);
  });

  test("leads nowhere where nothing was made", () => {
    const [told] = outcomesOfEntry(
      entry({ relatedInstanceInfo: { actionStatus: "DISCARDED", idList: ["t"], error: '{"error":"No match"}' } }),
    );
    expect(told).toEqual({ entity: "instance", status: "DISCARDED", error: "No match" });
  });

  test("has each reason once, with all that it is about", () => {
    const told = outcomesOfEntry(
      entry({
        sourceRecordActionStatus: "DISCARDED",
        error: "no leader",
        relatedInstanceInfo: { actionStatus: "DISCARDED", error: "no leader" },
        relatedItemInfo: [
          { actionStatus: "DISCARDED", error: "Barcode must be unique, 1 is already assigned to another item" },
        ],
      }),
    );
    expect(errorsByReason(told)).toEqual([
      { entities: ["source", "instance"], error: "no leader" },
      { entities: ["item"], error: "Barcode must be unique, 1 is already assigned to another item" },
    ]);
  });
});

test.each([
  ["plain", "plain"],
  [" ", ""],
  [
    '{"error":"io.vertx.core.impl.NoStackTraceThrowable: Could not"}',
    "io.vertx.core.impl.NoStackTraceThrowable: Could not",
  ],
  [
    "org.folio.processing.exceptions.EventProcessingException: Action profile requires a mapping profile",
    "Action profile requires a mapping profile",
  ],
  ['{"errors":[{"message":"one"},{"message":"two"}]}', "one two"],
  ["{no JSON", "{no JSON"],
])("the sentence in %j", (error, sentence) => {
  expect(readableError(error)).toBe(sentence);
});

describe("a reason", () => {
  test("that is frequent is said in the desk's own words", () => {
    const said = explainError("Barcode must be unique, 4711 is already assigned to another item", en.reasons);
    expect(said).toContain("4711");
  });

  test("that is not known stays as the server words it", () => {
    expect(explainError("Something else", en.reasons)).toBeUndefined();
  });

  test.each([
    "it has 3 bytes, fewer than a leader",
    "its directory does not end",
    "its directory is wrong: it lists 2 fields, 3 are there",
    "its leader says UTF-8, but field 245 is not UTF-8: byte E9",
    "field 245 is neither a text nor an object",
  ])("says that a record is damaged: %s", (error) => {
    expect(explainError(error, en.reasons)).toBe(en.reasons.damaged(""));
  });
});

test("the summary has a line for each entity with which the job had to do", () => {
  expect(
    countsByEntity({
      totalErrors: 1,
      instanceSummary: { totalCreatedEntities: 2 },
      itemSummary: { totalDiscardedEntities: 1, totalErrors: 1 },
    }),
  ).toEqual([
    { entity: "instance", created: 2, updated: 0, discarded: 0, errors: 0 },
    { entity: "item", created: 0, updated: 0, discarded: 1, errors: 1 },
  ]);
});
