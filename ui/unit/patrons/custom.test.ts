/** Values of custom fields in the form and on the page of a patron. */

import { describe, expect, test } from "vitest";
import type { CustomField } from "../../src/api/custom-fields.ts";
import { Refused } from "../../src/api/http.ts";
import { hasValueRefusals, valueErrors } from "../../src/patrons/custom/refusals.ts";
import { initialValues, valueTexts } from "../../src/patrons/custom/values.ts";
import { en } from "../../src/patrons/custom/words/en.ts";
import { hasChanges, toDraft, toUser } from "../../src/patrons/editing/draft.ts";

const field = (refId: string, part: Partial<CustomField>): CustomField => ({
  refId,
  name: refId,
  entityType: "user",
  type: "TEXTBOX_SHORT",
  ...part,
});

const options = (multiSelect: boolean, chosen: number[] = []) => ({
  multiSelect,
  options: {
    values: ["Films", "Music"].map((value, at) => ({ id: `opt_${at + 1}`, value, default: chosen.includes(at) })),
  },
});

const LIKES = field("likes", { type: "MULTI_SELECT_DROPDOWN", selectField: options(true, [1]) });
const SCHOOL = field("school", { type: "SINGLE_SELECT_DROPDOWN", selectField: options(false, [0]) });
const NEWS = field("news", { type: "SINGLE_CHECKBOX", checkboxField: { default: true } });

describe("a new patron", () => {
  test("begins with what the fields choose by themselves", () => {
    const draft = initialValues([LIKES, SCHOOL, NEWS, field("room", {})]);
    expect(toUser(draft).customFields).toEqual({ likes: ["opt_2"], school: "opt_1", news: true });
  });
});

describe("the record", () => {
  const user = { id: "1", customFields: { room: "7", likes: ["opt_1"], unseen: "stays" } };

  test("keeps values of fields that the form does not show", () => {
    expect(toUser(toDraft(user)).customFields).toEqual(user.customFields);
    expect(hasChanges(toDraft(user), toDraft(user))).toBe(false);
  });

  test("loses what was emptied, and blank lines among several values", () => {
    const draft = { ...toDraft(user), "customFields.room": " ", "customFields.likes": undefined };
    expect(toUser({ ...draft, "customFields.names": ["Jo ", " "] }).customFields).toEqual({
      unseen: "stays",
      names: ["Jo"],
    });
    expect(hasChanges(draft, toDraft(user))).toBe(true);
  });

  test("has no custom fields where nothing is written in any", () => {
    expect("customFields" in toUser({ "customFields.room": "" })).toBe(false);
  });
});

describe("a page", () => {
  const said = { yes: "Yes", no: "No", day: (day: string) => `on ${day}` };

  test("shows options by name, days as dates, ticks as words, and nothing for nothing", () => {
    expect(valueTexts(LIKES, ["opt_2", "opt_9"], said)).toEqual(["Music", "opt_9"]);
    expect(valueTexts(SCHOOL, "opt_1", said)).toEqual(["Films"]);
    expect(valueTexts(field("born", { type: "DATE_PICKER" }), "2001-02-03", said)).toEqual(["on 2001-02-03"]);
    expect(valueTexts(NEWS, false, said)).toEqual(["No"]);
    expect(valueTexts(field("room", {}), undefined, said)).toEqual([]);
  });
});

describe("what the server refuses", () => {
  const refusal = (message: string, key: string) => ({ message, parameters: [{ key, value: '"x"' }] });

  test("is said at the field", () => {
    const error = new Refused(422, [
      refusal("Invalid Email format: x", "mail"),
      refusal("Maximum length of the value is 150", "room"),
      refusal("Field likes can only have following values: [opt_1]", "likes"),
    ]);
    expect([...valueErrors(error, en)]).toEqual([
      ["mail", en.refused.email],
      ["room", en.refused.short("150")],
      ["likes", en.refused.option],
    ]);
  });

  test("of other things is said elsewhere", () => {
    expect(hasValueRefusals(new Refused(422, [refusal("This barcode has already been taken", "barcode")]))).toBe(false);
    expect(
      hasValueRefusals(new Refused(422, [refusal("Custom field with refId x is not found", "customFields")])),
    ).toBe(false);
  });
});
