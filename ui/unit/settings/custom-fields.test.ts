/** The settings of custom fields. */

import { expect, test } from "vitest";
import { moveField } from "../../src/settings/custom-fields/list.tsx";
import { recordToSend } from "../../src/settings/draft.ts";
import type { SettingRecord } from "../../src/settings/kind.ts";
import { customFields } from "../../src/settings/kinds/custom-fields.ts";
import { en } from "../../src/settings/words/en.ts";

const [A, B, C] = ["a", "b", "c"].map((id) => ({ id })) as [SettingRecord, SettingRecord, SettingRecord];

test("a field changes places with its neighbour, and stays where there is none", () => {
  expect(moveField([A, B, C], "b", -1)).toEqual([B, A, C]);
  expect(moveField([A, B, C], "b", 1)).toEqual([A, C, B]);
  expect(moveField([A, B, C], "a", -1)).toBeUndefined();
  expect(moveField([A, B, C], "gone", 1)).toBeUndefined();
});

const sent = (draft: SettingRecord) => {
  const record = recordToSend(
    draft,
    customFields.sections(en, draft).flatMap(({ fields }) => fields),
  );
  return customFields.write?.(record, undefined as never) ?? record;
};

test("what is sent has only what its type has", () => {
  const blank = customFields.blank as SettingRecord;
  expect(sent({ ...blank, name: "Room" })).toEqual({
    name: "Room",
    entityType: "user",
    type: "TEXTBOX_SHORT",
    visible: true,
    required: false,
    isRepeatable: false,
    textField: { fieldFormat: "TEXT" },
  });
  const values = [{ value: "West" }];
  const choice = { ...blank, name: "Likes", type: "MULTI_SELECT_DROPDOWN", selectField: { options: { values } } };
  const { textField, selectField } = sent(choice);
  expect(textField).toBeUndefined();
  expect(selectField).toEqual({ multiSelect: true, options: { values: [{ value: "West", default: false }] } });
});

test("what the server refuses is said at its field", () => {
  const at = (message: string) => customFields.explainRefusal?.({ message }, en)?.at;
  expect(at("The 'name' length cannot be more than 65")).toBe("name");
  expect(at("The options amount should be in range 1 - 5")).toBe("selectField.options.values");
});
