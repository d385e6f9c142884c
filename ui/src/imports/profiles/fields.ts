/**
 * The fields of instances, holdings and items that a mapping profile can fill. Paths and names are those of FOLIO's
 * forms.
 */

import type { RecordType } from "../../api/import-profiles.ts";
import type { ListPath } from "../../api/inventory.ts";
import type { RecordWords } from "../../inventory/words/records-en.ts";

/** The values that an expression may name: of reference data (by its path), or these. */
export type ValueSource = ListPath | readonly string[];

interface SingleField {
  at: string;
  is: "text" | "flag" | "day";
  from?: ValueSource;
  required?: boolean;
}

interface RepeatableField {
  at: string;
  is: "list";
  /** The parts of each entry. A list of plain texts has one part. */
  parts: readonly SingleField[];
  areTexts?: boolean;
}

export type MapSpec = SingleField | RepeatableField;

export interface MapSection {
  name: keyof RecordWords["sections"];
  fields: readonly MapSpec[];
}

const text = (at: string): SingleField => ({ at, is: "text" });
const requiredText = (at: string): SingleField => ({ at, is: "text", required: true });
const flag = (at: string): SingleField => ({ at, is: "flag" });
const day = (at: string): SingleField => ({ at, is: "day" });
const listValue = (at: string, from: ValueSource, required = false): SingleField => ({
  at,
  is: "text",
  from,
  required,
});
const textList = (at: string, name: string, from?: ValueSource): RepeatableField => ({
  at,
  is: "list",
  areTexts: true,
  parts: [{ at: name, is: "text", ...(from && { from }) }],
});
const list = (at: string, ...parts: SingleField[]): RepeatableField => ({ at, is: "list", parts });

const STATISTICAL_CODES = textList("statisticalCodeIds", "statisticalCodeId", "/statistical-codes");
const ADMINISTRATIVE_NOTES = textList("administrativeNotes", "administrativeNote");
const FORMER_IDS = textList("formerIds", "formerId");
const ELECTRONIC_ACCESS: MapSection = {
  name: "electronicAccess",
  fields: [
    list(
      "electronicAccess",
      listValue("relationshipId", "/electronic-access-relationships"),
      requiredText("uri"),
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
      listValue("statusId", "/instance-statuses"),
      STATISTICAL_CODES,
      ADMINISTRATIVE_NOTES,
    ],
  },
  {
    name: "publication",
    fields: [textList("natureOfContentTermIds", "natureOfContentTermId", "/nature-of-content-terms")],
  },
  {
    name: "related",
    fields: [
      list(
        "parentInstances",
        text("superInstanceId"),
        listValue("instanceRelationshipTypeId", "/instance-relationship-types"),
      ),
      list(
        "childInstances",
        text("subInstanceId"),
        listValue("instanceRelationshipTypeId", "/instance-relationship-types"),
      ),
    ],
  },
];

const HOLDINGS: readonly MapSection[] = [
  {
    name: "place",
    fields: [listValue("permanentLocationId", "/locations", true), listValue("temporaryLocationId", "/locations")],
  },
  {
    name: "callNumber",
    fields: [
      listValue("callNumberTypeId", "/call-number-types"),
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
      listValue("illPolicyId", "/ill-policies"),
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
      list(
        "notes",
        listValue("holdingsNoteTypeId", "/holdings-note-types", true),
        requiredText("note"),
        flag("staffOnly"),
      ),
    ],
  },
  ELECTRONIC_ACCESS,
  {
    name: "receiving",
    fields: [list("receivingHistory.entries", flag("publicDisplay"), text("enumeration"), text("chronology"))],
  },
  {
    name: "administration",
    fields: [
      flag("discoverySuppress"),
      listValue("holdingsTypeId", "/holdings-types"),
      FORMER_IDS,
      STATISTICAL_CODES,
      ADMINISTRATIVE_NOTES,
    ],
  },
];

/** Statuses that an import may give an item. */
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
      listValue("materialType.id", "/material-types", true),
      listValue("permanentLoanType.id", "/loan-types", true),
      listValue("temporaryLoanType.id", "/loan-types"),
      { at: "status.name", is: "text", from: ITEM_STATUSES, required: true },
      text("copyNumber"),
      text("volume"),
      text("enumeration"),
      text("chronology"),
      textList("yearCaption", "yearCaption"),
    ],
  },
  {
    name: "itemNotes",
    fields: [
      list("notes", listValue("itemNoteTypeId", "/item-note-types", true), requiredText("note"), flag("staffOnly")),
      list(
        "circulationNotes",
        listValue("noteType", ["Check in", "Check out"], true),
        requiredText("note"),
        flag("staffOnly"),
      ),
    ],
  },
  {
    name: "itemPlace",
    fields: [listValue("permanentLocation.id", "/locations"), listValue("temporaryLocation.id", "/locations")],
  },
  {
    name: "itemCallNumber",
    fields: [
      listValue("itemLevelCallNumberTypeId", "/call-number-types"),
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
      listValue("itemDamagedStatusId", "/item-damaged-statuses"),
      day("itemDamagedStatusDate"),
    ],
  },
  ELECTRONIC_ACCESS,
  {
    name: "administration",
    fields: [
      flag("discoverySuppress"),
      text("accessionNumber"),
      text("itemIdentifier"),
      FORMER_IDS,
      STATISTICAL_CODES,
      ADMINISTRATIVE_NOTES,
    ],
  },
];

/** Record types without a form are filled from the MARC record only. */
export const FORMS: Partial<Record<RecordType, { root: string; sections: readonly MapSection[] }>> = {
  INSTANCE: { root: "instance", sections: INSTANCE },
  HOLDINGS: { root: "holdings", sections: HOLDINGS },
  ITEM: { root: "item", sections: ITEM },
};
