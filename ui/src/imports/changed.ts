/** Changes of an import job as rows: each a field with its value before and after. Pure. */

import type { ImportChange } from "../api/imports.ts";
import type { ListPath } from "../api/inventory.ts";

export interface ChangedField {
  /** `identifiers[0].value`; of a MARC record the tag. */
  path: string;
  before?: string | boolean;
  after?: string | boolean;
}

/** Members that the server sets itself, and ids of parent records: they are not shown. */
const HIDDEN_MEMBERS =
  /^(?:id|hrid|_version|metadata|instanceId|holdingsRecordId|sourceId|source|matchKey|effective\w+|createdDate|updatedDate)(?:[.[]|$)/;

/** Members whose values are ids of reference data, with the path of that data. */
export const LIST_PATHS: Readonly<Record<string, ListPath>> = {
  instanceTypeId: "/instance-types",
  instanceFormatIds: "/instance-formats",
  natureOfContentTermIds: "/nature-of-content-terms",
  modeOfIssuanceId: "/modes-of-issuance",
  statusId: "/instance-statuses",
  contributorNameTypeId: "/contributor-name-types",
  contributorTypeId: "/contributor-types",
  identifierTypeId: "/identifier-types",
  alternativeTitleTypeId: "/alternative-title-types",
  classificationTypeId: "/classification-types",
  instanceNoteTypeId: "/instance-note-types",
  holdingsNoteTypeId: "/holdings-note-types",
  itemNoteTypeId: "/item-note-types",
  relationshipId: "/electronic-access-relationships",
  instanceRelationshipTypeId: "/instance-relationship-types",
  permanentLocationId: "/locations",
  temporaryLocationId: "/locations",
  callNumberTypeId: "/call-number-types",
  itemLevelCallNumberTypeId: "/call-number-types",
  illPolicyId: "/ill-policies",
  holdingsTypeId: "/holdings-types",
  statisticalCodeIds: "/statistical-codes",
  materialTypeId: "/material-types",
  permanentLoanTypeId: "/loan-types",
  temporaryLoanTypeId: "/loan-types",
  itemDamagedStatusId: "/item-damaged-statuses",
};

/** `identifiers[0].value` is `value` of the line 1 of `identifiers`. */
export interface FieldPlace {
  list?: string;
  line?: number;
  member: string;
}

export function fieldPlace(path: string): FieldPlace {
  const found = /^(.+?)\[(\d+)\](?:\.(.+))?$/.exec(path);
  if (!found) return { member: path };
  const [, list = "", line, member] = found;
  const number = Number(line) + 1;
  return member === undefined ? { line: number, member: list } : { list, line: number, member: withoutIndexes(member) };
}

const withoutIndexes = (member: string) => member.replaceAll(/\[\d+\]/g, "");

/** Path of the reference data from which a value comes. */
export const listPath = (path: string): ListPath | undefined => LIST_PATHS[fieldPlace(path).member];

/** The changed fields: all of a new or deleted record, and those that differ of an updated one. */
export function changedFields({ action, entityType, record, fields = [] }: ImportChange): ChangedField[] {
  if (entityType.startsWith("MARC")) {
    return fields.map(({ field, before, after }) => changedField(field, before as string, after as string));
  }
  const all =
    record === undefined
      ? fields.flatMap(({ field, before, after }) =>
          pairValues(valuesByPath(field, before), valuesByPath(field, after)),
        )
      : [...valuesByPath("", record)].map(([path, value]) =>
          action === "DELETE" ? changedField(path, value, undefined) : changedField(path, undefined, value),
        );
  return all.filter(({ path }) => !HIDDEN_MEMBERS.test(path));
}

type Value = string | boolean | undefined;

function changedField(path: string, before: Value | null, after: Value | null): ChangedField {
  return { path, ...(before != null && { before }), ...(after != null && { after }) };
}

function pairValues(before: Map<string, string | boolean>, after: Map<string, string | boolean>): ChangedField[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].map((path) => changedField(path, before.get(path), after.get(path)));
}

/** All values inside a member, by their paths. */
function valuesByPath(path: string, value: unknown): Map<string, string | boolean> {
  if (value === undefined || value === null || value === "") return new Map();
  if (Array.isArray(value)) {
    return new Map(value.flatMap((one, index) => [...valuesByPath(`${path}[${index}]`, one)]));
  }
  if (typeof value === "object") {
    return new Map(
      Object.entries(value).flatMap(([name, one]) => [...valuesByPath(path === "" ? name : `${path}.${name}`, one)]),
    );
  }
  return new Map([[path, typeof value === "boolean" ? value : String(value)]]);
}
