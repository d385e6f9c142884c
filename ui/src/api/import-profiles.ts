/**
 * Import profiles, and the MARC fields that imports must not change (field protection). The types have the members that
 * the desk uses.
 */

import { or, quoteWithWildcards, sortBy } from "./cql.ts";
import { ask } from "./http.ts";

export type ProfileType = "JOB_PROFILE" | "MATCH_PROFILE" | "ACTION_PROFILE" | "MAPPING_PROFILE";
export type RecordType =
  | "MARC_BIBLIOGRAPHIC"
  | "MARC_HOLDINGS"
  | "MARC_AUTHORITY"
  | "EDIFACT_INVOICE"
  | "DELIMITED"
  | "INSTANCE"
  | "HOLDINGS"
  | "AUTHORITY"
  | "ITEM"
  | "ORDER"
  | "INVOICE"
  | "PO_LINE"
  | "STATIC_VALUE";

export interface Profile {
  id?: string;
  name: string;
  description?: string;
  hidden?: boolean;
  parentProfiles?: Wrapper[];
  childProfiles?: Wrapper[];
}

export interface JobProfile extends Profile {
  dataType: string;
}

export interface MatchField {
  label: string;
  value: string;
}

export interface MatchExpression {
  dataValueType: "VALUE_FROM_RECORD" | "STATIC_VALUE";
  fields?: MatchField[];
  staticValueDetails?: {
    staticValueType?: "TEXT" | "NUMBER" | "EXACT_DATE" | "DATE_RANGE";
    text?: string;
    number?: string;
    exactDate?: string;
    fromDate?: string;
    toDate?: string;
  };
  qualifier?: { qualifierType?: string; qualifierValue?: string; comparisonPart?: string };
}

export interface MatchDetail {
  incomingRecordType: RecordType;
  existingRecordType: RecordType;
  incomingMatchExpression: MatchExpression;
  matchCriterion: string;
  existingMatchExpression: MatchExpression;
}

export interface MatchProfile extends Profile {
  incomingRecordType: RecordType;
  existingRecordType: RecordType;
  matchDetails?: MatchDetail[];
}

export interface ActionProfile extends Profile {
  action: string;
  folioRecord: RecordType;
}

export interface MappingField {
  name: string;
  enabled?: string;
  required?: boolean;
  path?: string;
  value?: string | null;
  booleanFieldAction?: string;
  repeatableFieldAction?: string;
  subfields?: { order: number; path: string; fields: MappingField[] }[];
  acceptedValues?: Record<string, string>;
}

export interface MarcSubfield {
  subfield: string;
  subaction?: string;
  position?: string;
  data?: { text?: string; find?: string; replaceWith?: string; marcField?: MarcField };
}

export interface MarcField {
  field: string;
  indicator1?: string;
  indicator2?: string;
  subfields?: MarcSubfield[];
}

export interface MarcChange {
  order: number;
  action: "ADD" | "DELETE" | "EDIT" | "MOVE";
  field: MarcField;
}

export interface MappingProfile extends Profile {
  incomingRecordType: RecordType;
  existingRecordType: RecordType;
  marcFieldProtectionSettings?: Protection[];
  mappingDetails?: {
    name: string;
    recordType: RecordType;
    mappingFields?: MappingField[];
    marcMappingDetails?: MarcChange[];
    marcMappingOption?: "UPDATE" | "MODIFY";
  };
}

export interface Protection {
  id?: string;
  field: string;
  indicator1?: string;
  indicator2?: string;
  subfield?: string;
  data?: string;
  source?: "SYSTEM" | "USER";
}

export type ReactTo = "MATCH" | "NON_MATCH";

/** A profile at its place in the tree of a job profile. */
export interface Wrapper {
  profileId?: string;
  profileWrapperId?: string;
  contentType: ProfileType;
  reactTo?: ReactTo;
  content: Profile;
  order?: number;
  childSnapshotWrappers?: Wrapper[];
}

export interface Relation {
  masterProfileId?: string;
  masterProfileType: ProfileType;
  masterWrapperId?: string;
  detailProfileId?: string;
  detailProfileType: ProfileType;
  detailWrapperId?: string;
  order: number;
  reactTo?: ReactTo;
  jobProfileId?: string;
}

const BASE = "/data-import-profiles";

/** Loads the profiles of a kind whose name or description contains a text, sorted by name. */
export async function searchProfiles<Kept extends Profile>(
  kind: string,
  { text = "", limit = 30, offset = 0 }: { text?: string; limit?: number; offset?: number },
): Promise<{ profiles: Kept[]; total: number }> {
  const wanted = quoteWithWildcards(`*${text.trim()}*`);
  const filter = text.trim() === "" ? "cql.allRecords=1" : or(`name==${wanted}`, `description==${wanted}`);
  const query = { query: sortBy(filter, "name"), limit, offset };
  const answer = await ask<{ totalRecords: number } & Record<string, unknown>>(`${BASE}/${kind}`, { query });
  return { profiles: (answer[kind] ?? []) as Kept[], total: answer.totalRecords };
}

/** Loads one profile with the profiles above and below it. */
export const loadProfile = <Kept extends Profile>(kind: string, id: string) =>
  ask<Kept>(`${BASE}/${kind}/${id}`, { query: { withRelations: true } });

export const loadProfileTree = (id: string) =>
  ask<Wrapper>(`${BASE}/profileSnapshots/${id}`, { query: { profileType: "JOB_PROFILE", jobProfileId: id } });

export async function storeProfile(
  kind: string,
  profile: Profile,
  relations: { added: Relation[]; deleted: Relation[] },
): Promise<string> {
  // The server derives these two members from the relations and does not accept them in a request.
  const { parentProfiles: _, childProfiles: __, ...own } = profile;
  const body = {
    ...(own.id !== undefined && { id: own.id }),
    profile: own,
    addedRelations: relations.added,
    deletedRelations: relations.deleted,
  };
  const path = own.id === undefined ? `${BASE}/${kind}` : `${BASE}/${kind}/${own.id}`;
  const answer = await ask<{ id?: string } | undefined>(path, { method: own.id === undefined ? "POST" : "PUT", body });
  return own.id ?? answer?.id ?? "";
}

export const removeProfile = (kind: string, id: string) => ask(`${BASE}/${kind}/${id}`, { method: "DELETE" });

const PROTECTION_PATH = "/field-protection-settings/marc";

export const loadProtections = async () =>
  (
    await ask<{ marcFieldProtectionSettings: Protection[] }>(PROTECTION_PATH, {
      query: { query: "cql.allRecords=1 sortBy field", limit: 1000 },
    })
  ).marcFieldProtectionSettings;

export const storeProtection = ({ id, ...setting }: Protection) =>
  ask<Protection>(id === undefined ? PROTECTION_PATH : `${PROTECTION_PATH}/${id}`, {
    method: id === undefined ? "POST" : "PUT",
    body: id === undefined ? setting : { id, ...setting },
  });

export const deleteProtection = (id: string) => ask(`${PROTECTION_PATH}/${id}`, { method: "DELETE" });
