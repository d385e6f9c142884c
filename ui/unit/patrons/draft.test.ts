import { describe, expect, test } from "vitest";
import type { User } from "../../src/api/records.ts";
import { hasChanges, householdDraft, toDraft, toUser } from "../../src/patrons/editing/draft.ts";

const USER: User = {
  id: "1",
  barcode: "27",
  departments: [],
  customFields: { shelf: "B7" },
  personal: { lastName: "Lee", email: "lee@example.org", addresses: [{ addressTypeId: "home", city: "Rome" }] },
};

describe("the record of a patron", () => {
  test("comes back as it was, but that post has an address to go to", () => {
    const addresses = [{ addressTypeId: "home", city: "Rome", primaryAddress: true }];
    expect(toUser(toDraft(USER))).toEqual({ ...USER, personal: { ...USER.personal, addresses } });
  });

  test("loses what was emptied, and the blanks around what was written", () => {
    const draft = { ...toDraft(USER), barcode: "", "personal.lastName": " Li ", "personal.email": "  " };
    const { personal, ...rest } = toUser(draft);
    expect("barcode" in rest).toBe(false);
    expect([personal?.lastName, personal && "email" in personal]).toEqual(["Li", false]);
  });

  test("has no address in which nothing is written", () => {
    const blank = { addressTypeId: "work", city: " ", primaryAddress: false };
    const addresses = [...(toDraft(USER)["personal.addresses"] ?? []), blank];
    expect(toUser({ ...toDraft(USER), "personal.addresses": addresses }).personal?.addresses).toHaveLength(1);
  });

  test("keeps the address to which post goes already", () => {
    const addresses = [
      { addressTypeId: "home", city: "Rome" },
      { addressTypeId: "work", city: "Bari", primaryAddress: true },
    ];
    expect(toUser({ "personal.addresses": addresses }).personal?.addresses).toEqual(addresses);
  });
});

describe("whoever lives with a patron", () => {
  test("has their last name, address and e-mail, and a card, an account and a group of their own", () => {
    const addresses = [{ id: "a", addressTypeId: "home", city: "Rome", primaryAddress: true }];
    const user: User = {
      ...USER,
      username: "lee",
      patronGroup: "adults",
      externalSystemId: "4711",
      personal: {
        lastName: "Lee",
        firstName: "Ann",
        email: "lee@example.org",
        dateOfBirth: "1980-01-01",
        preferredContactTypeId: "001",
        addresses,
      },
    };
    expect(toUser(householdDraft(user))).toEqual({
      personal: {
        lastName: "Lee",
        email: "lee@example.org",
        preferredContactTypeId: "001",
        addresses: [{ addressTypeId: "home", city: "Rome", primaryAddress: true }],
      },
    });
  });
});

describe("something is unsaved", () => {
  test("where a text has changed, not where it was opened or got blanks around it", () => {
    const stored = toDraft(USER);
    expect(hasChanges(stored, stored)).toBe(false);
    expect(hasChanges({ ...stored, "personal.phone": "", barcode: "27 " }, stored)).toBe(false);
    expect(hasChanges({ ...stored, "personal.phone": "1" }, stored)).toBe(true);
  });
});
