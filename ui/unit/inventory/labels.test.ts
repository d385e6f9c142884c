import { describe, expect, test } from "vitest";
import type { Item } from "../../src/api/inventory.ts";
import { toFastAddRecords } from "../../src/inventory/fast-add/making.ts";
import { DEFAULT_TEMPLATES, labelFacts, labelLines } from "../../src/inventory/labels/template.ts";

const ITEM = {
  id: "i",
  barcode: "3700",
  title: "Beloved",
  volume: "v.2",
  effectiveCallNumberComponents: { callNumber: "PS3563  .O8749 B4", prefix: "Ref" },
  effectiveLocation: { name: "Harbour: Fiction" },
  contributorNames: [{ name: "Morrison, Toni" }],
  status: { name: "Available" },
  materialType: { id: "m" },
  permanentLoanType: { id: "l" },
} as Item;

describe("a label", () => {
  test("of a spine has each part of the call number on a line of its own, and no gaps", () => {
    expect(labelLines(DEFAULT_TEMPLATES.spine.text, labelFacts(ITEM))).toEqual([
      "Ref",
      "PS3563",
      ".O8749",
      "B4",
      "v.2",
    ]);
  });

  test("fills its tokens, keeps other words and empty lines that were meant, and what is no token", () => {
    const text = "{{location}}\n\n{{prefix}} {{callNumber}} {{suffix}}\nvol. {{ volume }}\n{{toString}}";
    expect(labelLines(text, labelFacts(ITEM))).toEqual([
      "Harbour: Fiction",
      "",
      "Ref PS3563 .O8749 B4",
      "vol. v.2",
      "{{toString}}",
    ]);
  });

  test("has nothing where a part of the call number is null, as the server sends it", () => {
    const parts = { callNumber: null, prefix: null, suffix: null, typeId: null };
    const bare = { ...ITEM, effectiveCallNumberComponents: parts } as unknown as Item;
    expect(labelLines(DEFAULT_TEMPLATES.spine.text, labelFacts(bare))).toEqual(["v.2"]);
  });
});

test("what is added at the desk hangs together, is hidden if wanted, and has nothing that was left empty", () => {
  const short = {
    barcode: "9",
    title: " Found ",
    contributor: " ",
    contributorNameTypeId: "p",
    instanceTypeId: "txt",
    statusId: undefined,
    sourceId: "s",
    locationId: "l",
    callNumber: "",
    materialTypeId: "m",
    loanTypeId: "t",
    isHidden: true,
  };
  const { title, holdings, item } = toFastAddRecords(short, { title: "1", holdings: "2", item: "3" });
  expect(title).toEqual({ id: "1", source: "FOLIO", title: "Found", instanceTypeId: "txt", discoverySuppress: true });
  expect(holdings).toEqual({
    id: "2",
    instanceId: "1",
    permanentLocationId: "l",
    sourceId: "s",
    discoverySuppress: true,
  });
  expect(item).toMatchObject({ id: "3", holdingsRecordId: "2", barcode: "9", permanentLoanType: { id: "t" } });
});
