/** Which members of instances, holdings and items a mapping profile fills. Their paths and names are those of FOLIO's forms. */

import type { RecordType } from "../../api/import-profiles.ts";
import type { NamedPath } from "../../api/inventory.ts";
import type { RecordWords } from "../../inventory/words/records-en.ts";

/** What an expression may name: the values of a list of the library, or these. */
export type Source = NamedPath | readonly string[];

interface Single {
  at: string;
  is: "text" | "flag" | "day";
  from?: Source;
  required?: boolean;
}

interface Repeatable {
  at: string;
  is: "list";
  /** Of a list of texts one, with the path of the list itself. */
  parts: readonly Single[];
  areTexts?: boolean;
}

export type MapSpec = Single | Repeatable;

export interface MapSection {
  name: keyof RecordWords["sections"];
  fields: readonly MapSpec[];
}

const text = (at: string): Single => ({ at, is: "text" });
const needed = (at: string): Single => ({ at, is: "text", required: true });
const flag = (at: string): Single => ({ at, is: "flag" });
const day = (at: string): Single => ({ at, is: "day" });
const named = (at: string, from: Source, required = false): Single => ({ at, is: "text", from, required });
const texts = (at: string, name: string, from?: Source): Repeatable => ({
  at,
  is: "list",
  areTexts: true,
  parts: [{ at: name, is: "text", ...(from && { from }) }],
});
const list = (at: string, ...parts: Single[]): Repeatable => ({ at, is: "list", parts });

const CODES = texts("statisticalCodeIds", "statisticalCodeId", "/statistical-codes");
const ADMINISTRATIVE_NOTES = texts("administrativeNotes", "administrativeNote");
const FORMER_IDS = texts("formerIds", "formerId");
const LINKS: MapSection = {
  name: "electronicAccess",
  fields: [
    list(
      "electronicAccess",
      named("relationshipId", "/electronic-access-relationships"),
      needed("uri"),
      text("linkText"),
      text("materialsSpecification"),
      text("publicNote"),
    ),
  ],
};
const statements = (at: string) => list(at, text("statement"), text("note"), text("staffNote"));

const INSTANCE: readonly MapSection[] = [
  {
    name: "administration",
    fields: [
      flag("discoverySuppress"),
      flag("staffSuppress"),
      flag("previouslyHeld"),
      day("catalogedDate"),
      named("statusId", "/instance-statuses"),
      CODES,
      ADMINISTRATIVE_NOTES,
    ],
  },
  {
    name: "publication",
    fields: [texts("natureOfContentTermIds", "natureOfContentTermId", "/nature-of-content-terms")],
  },
  {
    name: "related",
    fields: [
      list(
        "parentInstances",
        text("superInstanceId"),
        named("instanceRelationshipTypeId", "/instance-relationship-types"),
      ),
      list(
        "childInstances",
        text("subInstanceId"),
        named("instanceRelationshipTypeId", "/instance-relationship-types"),
      ),
    ],
  },
];

const HOLDINGS: readonly MapSection[] = [
  {
    name: "place",
    fields: [named("permanentLocationId", "/locations", true), named("temporaryLocationId", "/locations")],
  },
  {
    name: "callNumber",
    fields: [
      named("callNumberTypeId", "/call-number-types"),
      text("callNumberPrefix"),
      text("callNumber"),
      text("callNumberSuffix"),
      text("copyNumber"),
      text("shelvingTitle"),
      text("numberOfItems"),
    ],
  },
  {
    name: "statements",
    fields: [
      statements("holdingsStatements"),
      statements("holdingsStatementsForSupplements"),
      statements("holdingsStatementsForIndexes"),
    ],
  },
  {
    name: "acquisition",
    fields: [
      named("illPolicyId", "/ill-policies"),
      text("digitizationPolicy"),
      text("retentionPolicy"),
      text("acquisitionMethod"),
      text("acquisitionFormat"),
      text("receiptStatus"),
    ],
  },
  {
    name: "notes",
    fields: [
      list("notes", named("holdingsNoteTypeId", "/holdings-note-types", true), needed("note"), flag("staffOnly")),
    ],
  },
  LINKS,
  {
    name: "receiving",
    fields: [list("receivingHistory.entries", flag("publicDisplay"), text("enumeration"), text("chronology"))],
  },
  {
    name: "administration",
    fields: [
      flag("discoverySuppress"),
      named("holdingsTypeId", "/holdings-types"),
      FORMER_IDS,
      CODES,
      ADMINISTRATIVE_NOTES,
    ],
  },
];

/** What an import may give an item. */
export const ITEM_STATUSES = [
  "Available",
  "In process",
  "In process (non-requestable)",
  "Intellectual item",
  "Long missing",
  "Missing",
  "On order",
  "Order closed",
  "Restricted",
  "Unavailable",
  "Unknown",
  "Withdrawn",
] as const;

const ITEM: readonly MapSection[] = [
  {
    name: "item",
    fields: [
      text("barcode"),
      named("materialType.id", "/material-types", true),
      named("permanentLoanType.id", "/loan-types", true),
      named("temporaryLoanType.id", "/loan-types"),
      { at: "status.name", is: "text", from: ITEM_STATUSES, required: true },
      text("copyNumber"),
      text("volume"),
      text("enumeration"),
      text("chronology"),
      texts("yearCaption", "yearCaption"),
    ],
  },
  {
    name: "itemNotes",
    fields: [
      list("notes", named("itemNoteTypeId", "/item-note-types", true), needed("note"), flag("staffOnly")),
      list("circulationNotes", named("noteType", ["Check in", "Check out"], true), needed("note"), flag("staffOnly")),
    ],
  },
  {
    name: "itemPlace",
    fields: [named("permanentLocation.id", "/locations"), named("temporaryLocation.id", "/locations")],
  },
  {
    name: "itemCallNumber",
    fields: [
      named("itemLevelCallNumberTypeId", "/call-number-types"),
      text("itemLevelCallNumberPrefix"),
      text("itemLevelCallNumber"),
      text("itemLevelCallNumberSuffix"),
    ],
  },
  {
    name: "condition",
    fields: [
      text("numberOfPieces"),
      text("descriptionOfPieces"),
      text("numberOfMissingPieces"),
      text("missingPieces"),
      day("missingPiecesDate"),
      named("itemDamagedStatusId", "/item-damaged-statuses"),
      day("itemDamagedStatusDate"),
    ],
  },
  LINKS,
  {
    name: "administration",
    fields: [
      flag("discoverySuppress"),
      text("accessionNumber"),
      text("itemIdentifier"),
      FORMER_IDS,
      CODES,
      ADMINISTRATIVE_NOTES,
    ],
  },
];

/** Other records have no form: their fields come from the MARC record alone. */
export const FORMS: Partial<Record<RecordType, { root: string; sections: readonly MapSection[] }>> = {
  INSTANCE: { root: "instance", sections: INSTANCE },
  HOLDINGS: { root: "holdings", sections: HOLDINGS },
  ITEM: { root: "item", sections: ITEM },
};
