/** Custom fields of patrons (mod-users). */

import { valueAt, withValue } from "../draft.ts";
import type { FieldProblem, Kind, Section, SettingRecord } from "../kind.ts";
import type { SettingsWords } from "../words/en.ts";
import { optionsFor } from "./units.ts";

const TYPES = [
  "TEXTBOX_SHORT",
  "TEXTBOX_LONG",
  "SINGLE_SELECT_DROPDOWN",
  "MULTI_SELECT_DROPDOWN",
  "RADIO_BUTTON",
  "SINGLE_CHECKBOX",
  "DATE_PICKER",
] as const;
const FORMATS = ["TEXT", "EMAIL", "URL", "NUMBER"] as const;
const SORTINGS = ["CUSTOM", "ASC", "DESC"] as const;
const MULTI_SELECT = "MULTI_SELECT_DROPDOWN";
const OPTIONS_PATH = "selectField.options.values";

const isText = ({ type }: SettingRecord) => String(type).startsWith("TEXTBOX");
export const isSelectable = ({ type }: SettingRecord) => /DROPDOWN|RADIO/.test(String(type));
const isCheckbox = ({ type }: SettingRecord) => type === "SINGLE_CHECKBOX";
const mayRepeat = (record: SettingRecord) => isText(record) || record.type === "SINGLE_SELECT_DROPDOWN";

export interface FieldOption {
  id?: string;
  value?: string;
  default?: boolean;
}

export const optionsOf = (record: SettingRecord) => (valueAt(record, OPTIONS_PATH) ?? []) as readonly FieldOption[];

export const customFields: Kind = {
  name: "customFields",
  slug: "custom-fields",
  path: "/custom-fields",
  collection: "customFields",
  query: "entityType==user",
  title: "name",
  rights: "user-settings.custom-fields",
  blank: {
    entityType: "user",
    type: "TEXTBOX_SHORT",
    visible: true,
    textField: { fieldFormat: "TEXT" },
    selectField: { options: { sortingOrder: "CUSTOM" } },
  },
  sections,
  write: (record) =>
    isSelectable(record) ? withValue(record, "selectField.multiSelect", record.type === MULTI_SELECT) : record,
  summary: (record, words) =>
    [
      typeLabel(words, record),
      record.required && words.customField.isRequired,
      record.visible === false && words.customField.isHidden,
    ]
      .filter(Boolean)
      .join(" · "),
  explainRefusal: explainRefusal,
};

const typeLabel = ({ customField }: SettingsWords, { type }: SettingRecord) =>
  (customField.types as Record<string, string>)[String(type)];

function sections(words: SettingsWords, record: SettingRecord): Section[] {
  const own = words.customField;
  const isStored = record.id !== undefined;
  const onlyThis = <Name extends string>(names: readonly Name[], now: unknown) =>
    isStored ? names.filter((name) => name === now) : names;
  return [
    {
      fields: [
        { is: "text", at: "name", label: words.name, required: true },
        {
          is: "choice",
          at: "type",
          label: own.type,
          ...(isStored && { help: own.typeFixed }),
          from: optionsFor(onlyThis(TYPES, record.type), own.types),
          required: true,
        },
        {
          is: "choice",
          at: "textField.fieldFormat",
          label: own.format,
          ...(isStored && { help: own.formatFixed }),
          from: optionsFor(onlyThis(FORMATS, valueAt(record, "textField.fieldFormat")), own.formats),
          required: true,
          shows: isText,
        },
        { is: "text", at: "helpText", label: own.help, help: own.helpHelp, wide: true },
        { is: "yes", at: "visible", label: own.visible },
        { is: "yes", at: "required", label: own.required, shows: (record) => !isCheckbox(record) },
        { is: "yes", at: "isRepeatable", label: own.repeatable, shows: mayRepeat },
        { is: "yes", at: "checkboxField.default", label: own.ticked, shows: isCheckbox },
      ],
    },
    {
      title: own.options,
      fields: [
        {
          is: "choice",
          at: "selectField.options.sortingOrder",
          label: own.sorting,
          from: optionsFor(SORTINGS, own.sortings),
          required: true,
          shows: isSelectable,
        },
        {
          is: "list",
          at: OPTIONS_PATH,
          label: own.options,
          fields: [
            { is: "text", at: "value", label: own.value, required: true },
            { is: "yes", at: "default", label: own.isDefault },
          ],
          blank: {},
          add: own.addOption,
          each: own.option,
          shows: isSelectable,
        },
      ],
    },
  ];
}

function explainRefusal(
  { message }: { message: string },
  { customField: { problems } }: SettingsWords,
): FieldProblem | undefined {
  if (/'name' length/.test(message)) return { at: "name", text: problems.name };
  if (/'helpText' length/.test(message)) return { at: "helpText", text: problems.help };
  const most = /options amount should be in range 1 - (\d+)/.exec(message)?.[1];
  if (most) return { at: OPTIONS_PATH, text: problems.count(most) };
  if (/option value cannot be blank/.test(message)) return { at: OPTIONS_PATH, text: problems.option };
  if (/Option values should be unique/.test(message)) return { at: OPTIONS_PATH, text: problems.twice };
  if (/max defaults amount/.test(message)) return { at: OPTIONS_PATH, text: problems.defaults };
  return undefined;
}
