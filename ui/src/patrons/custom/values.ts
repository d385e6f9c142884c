/** Values of custom fields in a patron's record: under the field's `refId`, one value or a list. */

import type { CustomField } from "../../api/custom-fields.ts";

export type CustomValue = string | boolean | readonly string[] | undefined;

/** The member of a patron's draft that has the value of a custom field. */
export const draftPath = (refId: string) => `customFields.${refId}` as const;

export const isText = ({ type }: CustomField) => type.startsWith("TEXTBOX");

export interface Option {
  id: string;
  name: string;
}

export const optionsOf = ({ selectField }: CustomField): Option[] =>
  (selectField?.options.values ?? []).flatMap(({ id, value }) => (id === undefined ? [] : [{ id, name: value }]));

/** Whether several options of the field can be chosen. */
export const takesSeveral = ({ type, isRepeatable }: CustomField) =>
  type === "MULTI_SELECT_DROPDOWN" || isRepeatable === true;

export const asList = (value: CustomValue): readonly string[] =>
  typeof value === "string" ? [value].filter(Boolean) : typeof value === "object" ? value : [];

/** The default value of a field for a new patron. */
export function initialValue(field: CustomField): CustomValue {
  if (field.type === "SINGLE_CHECKBOX") return field.checkboxField?.default ?? false;
  const chosen = (field.selectField?.options.values ?? []).flatMap((option) =>
    option.default && option.id !== undefined ? [option.id] : [],
  );
  return chosen.length === 0 ? undefined : takesSeveral(field) ? chosen : chosen[0];
}

/** The default values of all fields for a new patron's draft. */
export const initialValues = (fields: readonly CustomField[]): Record<`customFields.${string}`, CustomValue> =>
  Object.fromEntries(fields.map((field) => [draftPath(field.refId), initialValue(field)]));

interface ValueWords {
  yes: string;
  no: string;
  day: (date: string) => string;
}

/** The texts that a page shows for a value; empty if there is none. */
export function valueTexts(field: CustomField, value: CustomValue, said: ValueWords): string[] {
  if (typeof value === "boolean") return [value ? said.yes : said.no];
  const texts = asList(value);
  if (field.type === "DATE_PICKER") return texts.map(said.day);
  if (isText(field)) return [...texts];
  const options = optionsOf(field);
  return texts.map((text) => options.find(({ id }) => id === text)?.name ?? text);
}
