import { describe, expect, test } from "vitest";
import { changedFields, hasSameIdentifier, likenesses, namesakeQuery } from "../../src/patrons/editing/namesakes.ts";

const WRITTEN = {
  barcode: "27",
  "personal.lastName": "Šimek",
  "personal.firstName": "Jan",
  "personal.dateOfBirth": "1990-02-01T00:00:00.000+00:00",
};

describe("who is asked for", () => {
  test("nobody while too little is written", () => {
    expect(namesakeQuery(changedFields({}, {}))).toBeUndefined();
    expect(namesakeQuery(changedFields({ "personal.lastName": "Šimek" }, {}))).toBeUndefined();
  });

  test("the barcode, the name, and the last name with the day of birth", () => {
    expect(namesakeQuery(changedFields(WRITTEN, {}))).toBe(
      '(barcode=="27" or personal.lastName=="Šimek" and personal.firstName=="Jan" ' +
        'or personal.lastName=="Šimek" and personal.dateOfBirth=="1990-02-01*")',
    );
  });

  test("of a stored patron, only what has changed", () => {
    expect(namesakeQuery(changedFields({ ...WRITTEN, barcode: "28" }, WRITTEN))).toBe('(barcode=="28")');
    expect(namesakeQuery(changedFields(WRITTEN, WRITTEN))).toBeUndefined();
  });
});

describe("a likeness", () => {
  const compared = changedFields(WRITTEN, {});
  const person = (personal: object, more: object = {}) => ({
    id: "1",
    personal: { lastName: "Simek", firstName: "jan", ...personal },
    ...more,
  });

  test("does not mind accents and capitals", () => {
    expect(likenesses(person({ dateOfBirth: "1990-02-01" }), compared)).toEqual(["name", "birthDate"]);
  });

  test("of what only one may have keeps it from being saved", () => {
    const user = person({ lastName: "Other" }, { barcode: "27" });
    const same = likenesses(user, compared);
    expect(same).toEqual(["barcode"]);
    expect(hasSameIdentifier({ user, same })).toBe(true);
    expect(hasSameIdentifier({ user, same: ["name", "email"] })).toBe(false);
  });
});
