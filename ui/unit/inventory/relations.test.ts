import { expect, test } from "vitest";
import { copyRecord } from "../../src/inventory/editing/copied.ts";
import { ITEM_SECTIONS } from "../../src/inventory/editing/item-fields.ts";
import { RELATED_TITLE_FIELDS } from "../../src/inventory/editing/title-fields.ts";
import { cleanLinks, mergeLinks, withNumber } from "../../src/inventory/linked/relations.ts";
import { boundTitles } from "../../src/inventory/linked/volume.ts";

const [preceding] = RELATED_TITLE_FIELDS;
const opened = {
  id: "t",
  precedingTitles: [
    { id: "1", title: "a" },
    { id: "2", title: "b" },
  ],
};

test("links that others have made meanwhile stay, and those that they removed do not come back", () => {
  const mine = { ...opened, precedingTitles: [...opened.precedingTitles, { id: "3", title: "mine" }] };
  const now = {
    id: "t",
    precedingTitles: [
      { id: "2", title: "b" },
      { id: "4", title: "theirs" },
    ],
  };
  const sent = mergeLinks(mine, opened, now, RELATED_TITLE_FIELDS);
  expect((sent.precedingTitles as { id: string }[]).map(({ id }) => id)).toEqual(["2", "3", "4"]);
});

test("a link that was removed here stays away while it is still stored", () => {
  const mine = { ...opened, precedingTitles: [opened.precedingTitles[0]] };
  const sent = mergeLinks(mine, opened, opened, RELATED_TITLE_FIELDS);
  expect(sent.precedingTitles).toEqual([{ id: "1", title: "a" }]);
  expect(sent.childInstances).toEqual([]);
});

test("a line in which nobody has written is not sent, one with a title of the catalogue is", () => {
  if (preceding === undefined) throw new Error("no field");
  const lines = [
    { id: "1", title: " " },
    { id: "2", precedingInstanceId: "x" },
    { id: "3", title: " Old ", identifiers: [{ identifierTypeId: "issn", value: " " }] },
  ];
  expect(cleanLinks(lines, preceding)).toEqual([
    { id: "2", precedingInstanceId: "x" },
    { id: "3", title: "Old", identifiers: [] },
  ]);
});

test("a number replaces the one of its kind, and leaves others", () => {
  const link = {
    identifiers: [
      { identifierTypeId: "doi", value: "10" },
      { identifierTypeId: "issn", value: "1" },
    ],
  };
  expect(withNumber(link, "issn", "2").identifiers).toEqual([
    { identifierTypeId: "doi", value: "10" },
    { identifierTypeId: "issn", value: "2" },
  ]);
  expect(withNumber(link, "issn", "").identifiers).toEqual([{ identifierTypeId: "doi", value: "10" }]);
});

test("the title of its own holdings comes first in a volume", () => {
  const part = (id: string, title: string) => ({ briefHoldingsRecord: { id }, briefInstance: { id, title } });
  const item = { holdingsRecordId: "h2", boundWithTitles: [part("h1", "A"), part("h2", "Z"), part("h3", "B")] };
  const titles = boundTitles(item as unknown as Parameters<typeof boundTitles>[0]).map(({ title }) => title);
  expect(titles).toEqual(["Z", "A", "B"]);
});

test("a copy has what the form shows, and nothing that one record has for itself", () => {
  const item = {
    id: "1",
    hrid: "it1",
    barcode: "b",
    materialType: { id: "m", name: "book" },
    circulationNotes: [{ id: "n", note: "Map", noteType: "Check in", date: "2026-01-01" }],
    lastCheckIn: {},
  };
  expect(copyRecord(item, ITEM_SECTIONS, ["barcode"])).toEqual({
    materialType: { id: "m" },
    circulationNotes: [{ note: "Map", noteType: "Check in" }],
  });
});
