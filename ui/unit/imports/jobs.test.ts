import { describe, expect, test } from "vitest";
import { finishedQuery, jobFiltersFromAddress } from "../../src/imports/asked.ts";
import { marcLines } from "../../src/imports/marc.ts";
import { addSample, doneShare, type ProgressSample, roundedDuration, secondsLeft } from "../../src/imports/progress.ts";

const watch = (...all: [at: number, done: number][]) =>
  all.reduce<ProgressSample[]>((before, [at, done]) => addSample(before, { at, done }), []);

describe("how long the rest of a job takes", () => {
  test.each([
    ["by how fast it has been", watch([0, 0], [5_000, 50]), 100, 5],
    ["by how fast it has been lately", watch([0, 0], [100_000, 10], [110_000, 110]), 210, 10],
    ["not known after a moment", watch([0, 0], [1_000, 10]), 100, undefined],
    ["not known while nothing happens", watch([0, 10], [9_000, 10]), 100, undefined],
    ["measured anew when it begins anew", watch([0, 90], [9_000, 0]), 100, undefined],
    ["nothing is left", watch([0, 0], [9_000, 100]), 100, undefined],
  ])("%s", (_, all, total, seconds) => {
    expect(secondsLeft(all, total)).toBe(seconds);
  });

  test.each([
    [4, "second", 4],
    [41, "second", 45],
    [119, "minute", 2],
    [7_300, "hour", 2],
  ])("%i seconds", (seconds, unit, count) => {
    expect(roundedDuration(seconds)).toEqual({ unit, count });
  });
});

test.each([
  [{ current: 5, total: 10 }, 0.5],
  [{ current: 0, total: 0 }, undefined],
  [{}, undefined],
  [{ current: 11, total: 10 }, 1],
])("the share of %j", (progress, expected) => {
  expect(doneShare({ progress })).toBe(expected);
});

describe("finished jobs", () => {
  const ask = (address: string) => {
    const given = new URLSearchParams(address);
    const query = finishedQuery(
      jobFiltersFromAddress((name) => given.get(name) ?? ""),
      { limit: 30, offset: 0 },
      "Europe/Berlin",
    );
    return new URLSearchParams(query);
  };

  test("are all that have ended, the newest first", () => {
    const query = ask("");
    expect(query.getAll("statusAny")).toEqual(["COMMITTED", "ERROR", "CANCELLED"]);
    expect(query.get("sortBy")).toBe("completed_date,desc");
    expect(query.get("subordinationTypeNotAny")).toBe("COMPOSITE_PARENT");
    expect([query.has("fileName"), query.has("hrId"), query.has("userId")]).toEqual([false, false, false]);
  });

  test("are found by a part of the file's name, or by their number", () => {
    expect(ask("file=gobi").get("fileName")).toBe("*gobi*");
    expect(ask("file=gobi").has("hrId")).toBe(false);
    expect(ask("file=17").get("hrId")).toBe("17");
  });

  test("are those of days of the library", () => {
    const query = ask("from=2026-11-02&to=2026-11-03&outcome=ERROR&sort=file_name,asc");
    expect(query.get("completedAfter")).toBe("2026-11-01T23:00:00.000Z");
    expect(query.get("completedBefore")).toContain("2026-11-03T22:59:59");
    expect(query.getAll("statusAny")).toEqual(["ERROR"]);
    expect(query.get("sortBy")).toBe("file_name,asc");
  });

  test("are not narrowed by nonsense in the address", () => {
    const query = ask("from=yesterday&outcome=x&sort=password,asc");
    expect([query.has("completedAfter"), query.getAll("statusAny").length, query.get("sortBy")]).toEqual([
      false,
      3,
      "completed_date,desc",
    ]);
  });
});

describe("a MARC record", () => {
  const record = {
    leader: "00000nam",
    fields: [{ "001": "in1" }, { "245": { ind1: "1", ind2: " ", subfields: [{ a: "Emma /" }, { c: "Jane Austen" }] } }],
  };
  const read = [
    { tag: "LDR", indicators: "", parts: [{ code: "", text: "00000nam" }] },
    { tag: "001", indicators: "", parts: [{ code: "", text: "in1" }] },
    {
      tag: "245",
      indicators: "1_",
      parts: [
        { code: "a", text: "Emma /" },
        { code: "c", text: "Jane Austen" },
      ],
    },
  ];

  test.each([
    ["as JSON", record],
    ["as text", JSON.stringify(record)],
  ])("is read %s", (_, parsed) => {
    expect(marcLines(parsed)).toEqual(read);
  });

  test.each([undefined, null, "", "<html>", 7, {}])("is not %j", (parsed) => {
    expect(marcLines(parsed)).toBeUndefined();
  });
});
