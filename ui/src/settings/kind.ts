/**
 * Kinds of settings as data: where their records are kept, who may see and change them, and the fields of their form. What is
 * not said of a kind here its page need not know; which fields stand in the form depends on what the others say.
 */

import type { QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Formats } from "../words/index.tsx";
import { at } from "./draft.ts";
import type { Options } from "./sources.ts";
import type { KindName, SettingsWords } from "./words/en.ts";

export interface Stored {
  id?: string;
  [member: string]: unknown;
}

export interface Option {
  id: string;
  name: string;
}

/** Lists of other records that fields choose from; see `sources.ts`. */
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
  /** Where in the record it stands, with dots. */
  at: string;
  label: string;
  help?: string;
  required?: boolean;
  /** Whether it applies to what the record says otherwise. A field that does not apply is neither shown nor stored. */
  shows?: (record: Stored) => boolean;
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
        /** What else of the record follows from the choice. */
        also?: (record: Stored, chosen: Stored | undefined, records: (source: Source) => readonly Stored[]) => Stored;
      }
    | { is: "many"; from: readonly Option[] | Source }
    /** So many of a unit. */
    | { is: "period"; units: readonly Option[] }
    /** So much money for each unit. */
    | { is: "rate"; units: readonly Option[] }
    | { is: "list"; fields: readonly Spec[]; blank: object; add: string; each: (number: number) => string }
  );

export interface Section {
  title?: string;
  help?: string;
  fields: readonly Spec[];
}

/** What the server says, in words of a page: at a field, or of the whole. */
export interface Mapped {
  at?: string;
  text: string;
}

/** Records in which a record may be named, at a place where the server does not look. */
export interface Use {
  path: string;
  at: string;
  /** As the server calls them when it looks itself. */
  table: string;
}

export interface Kind {
  name: KindName;
  /** In the address, under /settings. */
  slug: string;
  path: string;
  collection: string;
  /** Which of the collection, where it has others that are no settings. */
  query?: string;
  /** The field that a record is called by. */
  title: string;
  /** How it is called, where that is not this field alone. */
  called?: (record: Stored) => string;
  /** Permissions: this, then `collection.get`, `item.post` and so on. */
  rights: string;
  /** The permission to see them, where it is called otherwise. */
  see?: string;
  /** There is one at most, which is shown at once. */
  single?: boolean;
  /** Which of those that were found is of the whole library. */
  ofAll?: (record: Stored) => boolean;
  /** What the server makes of itself can neither be made nor deleted by hand. */
  fixed?: boolean;
  /** Under which letter the circulation rules name it. */
  letter?: string;
  blank: object;
  sections: (words: SettingsWords, record: Stored) => readonly Section[];
  summary?: (record: Stored, words: SettingsWords, formats: Formats) => string;
  /** Which of them staff may change, where others belong to the server. */
  may?: (record: Stored) => boolean;
  /** Whether the others come with catalogues of the world. */
  standard?: boolean;
  /** How the record is read for the form, and written from it, where the two differ. */
  read?: (record: Stored) => Stored;
  write?: (record: Stored, options: Options, known?: Stored) => Stored;
  /** Why it must not be stored, where the server does not say so itself. */
  refuses?: (record: Stored, words: SettingsWords) => Promise<string | undefined>;
  /** What follows for this very desk. */
  saved?: (client: QueryClient) => Promise<unknown>;
  /** Lists that no field chooses from, but that follow from what one does. */
  also?: readonly Source[];
  /** What names it although the server would let it go: then it stays. */
  needed?: {
    by: Pick<Kind, "path" | "collection">;
    where: (other: Stored, id: string) => boolean;
    says: (words: SettingsWords) => string;
  };
  /** Said before a record is deleted: what goes with it. */
  lost?: ((record: Stored) => ReactNode) | undefined;
  /** Looked through before a record is deleted: they may be many. */
  uses?: readonly Use[];
  mapped?: (refusal: { message: string; code?: string }, words: SettingsWords) => Mapped | undefined;
}

export const titleOf = (kind: Kind, record: Stored) => kind.called?.(record) ?? String(at(record, kind.title) ?? "");

export const rightsTo = {
  see: (kind: Kind) => kind.see ?? `${kind.rights}.collection.get`,
  make: (kind: Kind) => `${kind.rights}.item.post`,
  change: (kind: Kind) => `${kind.rights}.item.put`,
  remove: (kind: Kind) => `${kind.rights}.item.delete`,
};
