/**
 * Kinds of settings as data: the path of their records, permissions, and the fields of their form. Optional members
 * are for kinds that need them; which fields a form shows depends on the values of others.
 */

import type { QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Formats } from "../words/index.tsx";
import { valueAt } from "./draft.ts";
import type { Options } from "./sources.ts";
import type { KindName, SettingsWords } from "./words/en.ts";

export interface SettingRecord {
  id?: string;
  [member: string]: unknown;
}

export interface Option {
  id: string;
  name: string;
}

/** Other records that a choice field offers; see `sources.ts`. */
export type Source =
  | "schedules"
  | "templates"
  | "servicePoints"
  | "pickupPoints"
  | "owners"
  | "institutions"
  | "campuses"
  | "libraries"
  | "slips"
  | "statisticalCodeTypes";

interface Field {
  /** Path of the member in the record, with dots. */
  at: string;
  label: string;
  help?: string;
  required?: boolean;
  /** Whether the field applies, given the rest of the record. Otherwise it is neither shown nor stored. */
  shows?: (record: SettingRecord) => boolean;
}

export type Spec = Field &
  (
    | { is: "text"; lines?: number; wide?: boolean; secret?: boolean }
    | { is: "number"; least?: number; most?: number }
    | { is: "money" }
    | { is: "yes" }
    | { is: "day"; end?: boolean }
    | {
        is: "choice";
        from: readonly Option[] | Source;
        /** Changes other members of the record that depend on the choice. */
        also?: (
          record: SettingRecord,
          chosen: SettingRecord | undefined,
          records: (source: Source) => readonly SettingRecord[],
        ) => SettingRecord;
      }
    | { is: "many"; from: readonly Option[] | Source }
    /** A number and a unit of time. */
    | { is: "period"; units: readonly Option[] }
    /** An amount of money for each unit of time. */
    | { is: "rate"; units: readonly Option[] }
    | { is: "list"; fields: readonly Spec[]; blank: object; add: string; each: (number: number) => string }
  );

export interface Section {
  title?: string;
  help?: string;
  fields: readonly Spec[];
}

/** A refusal of the server in the words of the desk: about a field, or about the whole record. */
export interface FieldProblem {
  at?: string;
  text: string;
}

/** Other records that may refer to a record of this kind, and that the server does not check before a deletion. */
export interface Use {
  path: string;
  at: string;
  /** Name of their database table, as in the server's refusals. */
  table: string;
}

export interface Kind {
  name: KindName;
  /** Last part of the page's address, after /settings/. */
  slug: string;
  path: string;
  collection: string;
  /** CQL query, if the collection has other records, too. */
  query?: string;
  /** The member with the name of a record. */
  title: string;
  /** The name of a record, if it is not just that member. */
  displayName?: (record: SettingRecord) => string;
  /** Permissions: this, then `collection.get`, `item.post` and so on. */
  rights: string;
  /** The permission to read them, if it is not `collection.get`. */
  viewPermission?: string;
  /** There is at most one record; its form is shown instead of a list. */
  isSingle?: boolean;
  /** Whether a record holds for the whole library, not for a single user. */
  isOfWholeLibrary?: (record: SettingRecord) => boolean;
  /** The server creates these records: none can be added or deleted at the desk. */
  hasFixedRecords?: boolean;
  /** The letter for this kind in the circulation rules. */
  letter?: string;
  blank: object;
  sections: (words: SettingsWords, record: SettingRecord) => readonly Section[];
  summary?: (record: SettingRecord, words: SettingsWords, formats: Formats) => string;
  /** Whether staff may change the record; others belong to the server. */
  may?: (record: SettingRecord) => boolean;
  /** Whether records that staff may not change are standard values, shared with other catalogues. */
  standard?: boolean;
  /** Converts the record for the form, and back, where the two differ. */
  read?: (record: SettingRecord) => SettingRecord;
  write?: (record: SettingRecord, options: Options, known?: SettingRecord) => SettingRecord;
  /** A reason not to save the record, where the server does not check it. */
  checkBeforeSave?: (record: SettingRecord, words: SettingsWords) => Promise<string | undefined>;
  /** Called after saving: reloads what this desk uses of the settings. */
  afterSave?: (client: QueryClient) => Promise<unknown>;
  /** Further sources to load, which no field offers but `also` needs. */
  extraSources?: readonly Source[];
  /** Other records that refer to this one, although the server would delete it: then it cannot be deleted. */
  requiredBy?: {
    by: Pick<Kind, "path" | "collection">;
    where: (other: SettingRecord, id: string) => boolean;
    says: (words: SettingsWords) => string;
  };
  /** Content of the dialog before deleting: what is lost with the record. */
  deletionWarning?: ((record: SettingRecord) => ReactNode) | undefined;
  /** Searched before a record is deleted: records that may refer to it. */
  uses?: readonly Use[];
  explainRefusal?: (refusal: { message: string; code?: string }, words: SettingsWords) => FieldProblem | undefined;
}

export const titleOf = (kind: Kind, record: SettingRecord) =>
  kind.displayName?.(record) ?? String(valueAt(record, kind.title) ?? "");

export const rightsTo = {
  see: (kind: Kind) => kind.viewPermission ?? `${kind.rights}.collection.get`,
  make: (kind: Kind) => `${kind.rights}.item.post`,
  change: (kind: Kind) => `${kind.rights}.item.put`,
  remove: (kind: Kind) => `${kind.rights}.item.delete`,
};
