import { expect, test } from "vitest";
import type { PatronRequest } from "../../src/api/records.ts";
import { BULK_ACTIONS, type BulkContext, requestChange } from "../../src/lists/bulk/actions.ts";
import { changeAction, changeFromValues } from "../../src/lists/carts/change.tsx";
import { rowFromRequest } from "../../src/lists/row.ts";

const around: BulkContext = {
  userId: "me",
  endOfDay: (day) => `${day}T23:59:59Z`,
  isoDay: (instant) => instant.slice(0, 10),
  isSingleRow: true,
};

const request: PatronRequest = {
  id: "r",
  requestType: "Hold",
  requestDate: "2026-11-01T10:00:00Z",
  requesterId: "ann",
  status: "Open - Not yet filled",
  fulfillmentPreference: "Hold Shelf",
  pickupServicePointId: "harbour",
  requestExpirationDate: "2026-12-01T23:59:59.000+00:00",
  itemId: "copy",
  instanceId: "title",
};

test("an edit sends only what differs from what the request says", () => {
  expect(requestChange(request, { pickup: "harbour", wanted: "2026-12-01" }, around)).toEqual({});
  expect(requestChange(request, { pickup: "hillside", wanted: "2026-12-24" }, around)).toEqual({
    fulfillmentPreference: "Hold Shelf",
    pickupServicePointId: "hillside",
    deliveryAddressTypeId: null,
    requestExpirationDate: "2026-12-24T23:59:59Z",
  });
  expect(requestChange(request, { address: "home" }, around)).toEqual({
    fulfillmentPreference: "Delivery",
    deliveryAddressTypeId: "home",
    pickupServicePointId: null,
  });
});

test("the day on the hold shelf belongs to what lies there", () => {
  expect(requestChange(request, { kept: "2026-12-24" }, around)).toEqual({});
  const ready = { ...request, status: "Open - Awaiting pickup" as const };
  expect(requestChange(ready, { kept: "2026-12-24" }, around)).toEqual({
    holdShelfExpirationDate: "2026-12-24T23:59:59Z",
  });
});

test("a date stays as it is if its day was not changed, whatever its hour", () => {
  const ready = { ...request, status: "Open - Awaiting pickup" as const };
  for (const end of ["2026-12-24T15:00:00Z", "2026-12-24T23:59:59.999Z"]) {
    const kept = { ...ready, holdShelfExpirationDate: end };
    const said = { pickup: "hillside", wanted: "2026-12-01", kept: "2026-12-24" };
    expect(Object.keys(requestChange(kept, said, around))).not.toContain("holdShelfExpirationDate");
    expect(requestChange(kept, { kept: "2026-12-26" }, around)).toMatchObject({
      holdShelfExpirationDate: "2026-12-26T23:59:59Z",
    });
  }
});

test("an emptied date is removed from a single request, and stays in a form for many", () => {
  const said = { pickup: "harbour", wanted: "", kept: "" };
  expect(requestChange(request, said, around)).toEqual({ requestExpirationDate: null });
  expect(requestChange(request, said, { ...around, isSingleRow: false })).toEqual({});
  const { requestExpirationDate: _, ...endless } = request;
  expect(requestChange(endless, said, around)).toEqual({});
});

test("a request moves to another copy of its own title, and only while nothing has been fetched for it", () => {
  const move = BULK_ACTIONS.find(({ name }) => name === "move");
  const row = rowFromRequest(request);
  expect(move?.order(row, { item: "other", instance: "title" }, around)).toEqual({
    do: "move",
    id: "r",
    body: { destinationItemId: "other", requestType: "Hold" },
  });
  expect(move?.order(row, { item: "other", instance: "another title" }, around)).toBeUndefined();
  expect(move?.order(row, { item: "copy", instance: "title" }, around)).toBeUndefined();
  expect(move?.suits(rowFromRequest({ ...request, status: "Open - Awaiting pickup" }))).toBe(false);
});

test("a change of copies is what was filled in; a copy that is so already is left out", () => {
  expect(changeFromValues({ what: "temporaryLocation", to: "none" })).toEqual({ temporaryLocation: null });
  expect(changeFromValues({ what: "status", to: "Missing" })).toEqual({ status: "Missing" });
  expect(changeFromValues({ what: "note", note: "Torn" })).toBeUndefined();
  const item = {
    id: "i",
    status: { name: "Missing" as const },
    materialType: { id: "book" },
    permanentLoanType: { id: "c" },
  };
  const row = { key: "i", title: "", item };
  expect(changeAction.order(row, { what: "status", to: "Missing" })).toBeUndefined();
  expect(changeAction.order(row, { what: "temporaryLocation", to: "none" })).toBeUndefined();
  expect(changeAction.order(row, { what: "temporaryLocation", to: "x" })).toMatchObject({ do: "item", id: "i" });
});

test("a note is sent with the number of same notes that the item has already", () => {
  const said = { what: "note", noteType: "shelf", note: "Torn" };
  const torn = { itemNoteTypeId: "shelf", note: "Torn", staffOnly: true };
  const item = {
    id: "i",
    status: { name: "Available" as const },
    materialType: { id: "book" },
    permanentLoanType: { id: "c" },
    notes: [torn, { ...torn, itemNoteTypeId: "repair" }, { ...torn, note: "Wet" }],
  };
  expect(changeAction.order({ key: "i", title: "", item }, said)).toMatchObject({ do: "item", sameNotes: 1 });
  const { notes: _, ...without } = item;
  expect(changeAction.order({ key: "i", title: "", item: without }, said)).toMatchObject({ sameNotes: 0 });
});
