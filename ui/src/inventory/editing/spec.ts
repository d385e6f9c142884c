/**
 * Specifications of the fields of titles, holdings and items: the member of the record, and what it holds. Forms and
 * record pages are made from them; the labels are in the word files, by the path of the field.
 */

import type { ListPath } from "../../api/inventory.ts";
import type { RecordWords } from "../words/records-en.ts";

/** A record as the server sends it. */
export interface RecordJson {
  [member: string]: unknown;
}

/** The path of a list of the server, or fixed values that FOLIO knows by name. */
export type ChoiceSource = ListPath | readonly string[];

interface FieldPath {
  /** The path of the member, with dots between its parts. */
  at: string;
  required?: boolean;
}

export type LinePartSpec = FieldPath &
  (
    | { is: "text"; lines?: number }
    | { is: "yes" }
    /** True in at most one of all lines. */
    | { is: "only" }
    | {
        is: "choice";
        from: ChoiceSource;
        /** The name of the option that a new line has; otherwise the first option of the list. */
        usual?: string;
      }
  );

export type FieldSpec = FieldPath &
  (
    | { is: "text"; lines?: number }
    /** Whole scans go to this field from every field of the form. */
    | { is: "barcode" }
    | { is: "day" }
    | { is: "yes" }
    | {
        is: "choice";
        from: ChoiceSource;
        /** The member is an object with the id, not the id itself. */
        isObject?: boolean;
      }
    | { is: "many"; from: ListPath }
    | { is: "texts"; lines?: number }
    | { is: "languages" }
    | { is: "tags" }
    | { is: "list"; parts: readonly LinePartSpec[] }
    /** Links to other titles: the member `other` of each line has the id of the linked title. */
    | {
        is: "titles";
        other: LinkedTitleMember;
        /** Each link has a relationship type, and titles that are not in the catalogue cannot be linked. */
        isTyped?: boolean;
      }
  );

export type LinkedTitleMember = "precedingInstanceId" | "succeedingInstanceId" | "superInstanceId" | "subInstanceId";

export interface FormSection {
  name: keyof RecordWords["sections"];
  fields: readonly FieldSpec[];
  /** Rarely used: folded if it has no values. */
  isRare?: boolean;
}

/** The sections without these fields; sections that become empty are left out. */
export function withoutFields(sections: readonly FormSection[], paths: readonly string[]): FormSection[] {
  const top = (path: string) => path.split(".")[0] ?? path;
  return sections
    .map((section) => ({ ...section, fields: section.fields.filter(({ at }) => !paths.includes(top(at))) }))
    .filter(({ fields }) => fields.length > 0);
}
