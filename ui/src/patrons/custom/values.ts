/** Values of custom fields, as they stand in a patron's record: under the field's `refId`, one or a list of them. */

import type { CustomField } from "../../api/custom-fields.ts";

export type CustomValue = string | boolean | readonly string[] | undefined;

/** Where a value stands in the draft of a patron. */
export const pathOf = (refId: string) => `customFields.${refId}` as const;

export const isText = ({ type }: CustomField) => type.startsWith("TEXTBOX");

export interface Option {
  id: string;
  name: string;
}

export const optionsOf = ({ selectField }: CustomField): Option[] =>
  (selectField?.options.values ?? []).flatMap(({ id, value }) => (id === undefined ? [] : [{ id, name: value }]));

/** Whether a field of options takes several of them. */
export const takesSeveral = ({ type, isRepeatable }: CustomField) =>
  type === "MULTI_SELECT_DROPDOWN" || isRepeatable === true;

export const asList = (value: CustomValue): readonly string[] =>
  typeof value === "string" ? [value].filter(Boolean) : typeof value === "object" ? value : [];

/** What a new patron has without anybody's choice. */
export function initial(field: CustomField): CustomValue {
  if (field.type === "SINGLE_CHECKBOX") return field.checkboxField?.default ?? false;
  const chosen = (field.selectField?.options.values ?? []).flatMap((option) =>
    option.default && option.id !== undefined ? [option.id] : [],
  );
  return chosen.length === 0 ? undefined : takesSeveral(field) ? chosen : chosen[0];
}

/** The part of a new patron's draft that follows from the fields. */
export const initialOf = (fields: readonly CustomField[]): Record<`customFields.${string}`, CustomValue> =>
  Object.fromEntries(fields.map((field) => [pathOf(field.refId), initial(field)]));

interface Said {
  yes: string;
  no: string;
  day: (date: string) => string;
}

/** What a page shows of a value; nothing where there is none. */
export function shown(field: CustomField, value: CustomValue, said: Said): string[] {
  if (typeof value === "boolean") return [value ? said.yes : said.no];
  const texts = asList(value);
  if (field.type === "DATE_PICKER") return texts.map(said.day);
  if (isText(field)) return [...texts];
  const options = optionsOf(field);
  return texts.map((text) => options.find(({ id }) => id === text)?.name ?? text);
}
