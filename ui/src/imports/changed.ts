/** What a job would change, or has changed, of the library's records: as rows of a field, before and after. Pure. */

import type { ImportChange } from "../api/imports.ts";
import type { NamedPath } from "../api/inventory.ts";

export interface Row {
  /** `identifiers[0].value`; of a MARC record the tag. */
  path: string;
  before?: string | boolean;
  after?: string | boolean;
}

/** What the server writes for itself, and what says only where a record belongs. */
const HIDDEN =
  /^(?:id|hrid|_version|metadata|instanceId|holdingsRecordId|sourceId|source|matchKey|effective\w+|createdDate|updatedDate)(?:[.[]|$)/;

/** Members whose values are ids of a list of the library. */
export const LISTS: Readonly<Record<string, NamedPath>> = {
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
export interface Place {
  list?: string;
  line?: number;
  member: string;
}

export function placeOf(path: string): Place {
  const found = /^(.+?)\[(\d+)\](?:\.(.+))?$/.exec(path);
  if (!found) return { member: path };
  const [, list = "", line, member] = found;
  const number = Number(line) + 1;
  return member === undefined ? { line: number, member: list } : { list, line: number, member: bare(member) };
}

const bare = (member: string) => member.replaceAll(/\[\d+\]/g, "");

/** The list of the library from which the value of a place comes. */
export const listOf = (path: string): NamedPath | undefined => LISTS[placeOf(path).member];

/** Of a new record what it has, of one that goes what it had, of one that changes what is not the same. */
export function rowsOf({ action, entityType, record, fields = [] }: ImportChange): Row[] {
  if (entityType.startsWith("MARC")) {
    return fields.map(({ field, before, after }) => row(field, before as string, after as string));
  }
  const all =
    record === undefined
      ? fields.flatMap(({ field, before, after }) => paired(leaves(field, before), leaves(field, after)))
      : [...leaves("", record)].map(([path, value]) =>
          action === "DELETE" ? row(path, value, undefined) : row(path, undefined, value),
        );
  return all.filter(({ path }) => !HIDDEN.test(path));
}

type Value = string | boolean | undefined;

function row(path: string, before: Value | null, after: Value | null): Row {
  return { path, ...(before != null && { before }), ...(after != null && { after }) };
}

function paired(before: Map<string, string | boolean>, after: Map<string, string | boolean>): Row[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].map((path) => row(path, before.get(path), after.get(path)));
}

/** The values of a member by their paths, however deep they are. */
function leaves(path: string, value: unknown): Map<string, string | boolean> {
  if (value === undefined || value === null || value === "") return new Map();
  if (Array.isArray(value)) {
    return new Map(value.flatMap((one, index) => [...leaves(`${path}[${index}]`, one)]));
  }
  if (typeof value === "object") {
    return new Map(
      Object.entries(value).flatMap(([name, one]) => [...leaves(path === "" ? name : `${path}.${name}`, one)]),
    );
  }
  return new Map([[path, typeof value === "boolean" ? value : String(value)]]);
}
