/**
 * The fields of titles, holdings and items as data: where in the record each stands, and what it holds. Forms and the page of
 * a record are made from them; how a field is called stands in the word files, under its path.
 */

import type { NamedPath } from "../../api/inventory.ts";
import type { RecordWords } from "../words/records-en.ts";

/** A record as the server sends it. */
export interface Stored {
  [member: string]: unknown;
}

/** A list that the server keeps, or values that FOLIO knows by name. */
export type Source = NamedPath | readonly string[];

interface Place {
  /** The path of the member, with dots. */
  at: string;
  required?: boolean;
}

export type Part = Place &
  (
    | { is: "text"; lines?: number }
    | { is: "yes" }
    /** Of all lines one at most says so. */
    | { is: "only" }
    | {
        is: "choice";
        from: Source;
        /** The name of what a new line has chosen; otherwise the first of the list. */
        usual?: string;
      }
  );

export type Spec = Place &
  (
    | { is: "text"; lines?: number }
    /** Whole scans go there from every field of the form. */
    | { is: "barcode" }
    | { is: "day" }
    | { is: "yes" }
    | {
        is: "choice";
        from: Source;
        /** The member is an object with the id, not the id itself. */
        isObject?: boolean;
      }
    | { is: "many"; from: NamedPath }
    | { is: "texts"; lines?: number }
    | { is: "languages" }
    | { is: "tags" }
    | { is: "list"; parts: readonly Part[] }
    /** Links to other titles: each line names one by its id in the member `other`. */
    | {
        is: "titles";
        other: OtherTitle;
        /** Each says of what kind it is, and titles that the catalogue does not have cannot be named. */
        isTyped?: boolean;
      }
  );

export type OtherTitle = "precedingInstanceId" | "succeedingInstanceId" | "superInstanceId" | "subInstanceId";

export interface Section {
  name: keyof RecordWords["sections"];
  fields: readonly Spec[];
  /** Rarely used: folded while there is nothing in it. */
  isRare?: boolean;
}

/** The sections without these fields, and without those that are empty then. */
export function without(sections: readonly Section[], paths: readonly string[]): Section[] {
  const top = (path: string) => path.split(".")[0] ?? path;
  return sections
    .map((section) => ({ ...section, fields: section.fields.filter(({ at }) => !paths.includes(top(at))) }))
    .filter(({ fields }) => fields.length > 0);
}
