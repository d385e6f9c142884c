/** The fields of an item as mod-inventory represents it, with types and locations as objects. */

import { ADMINISTRATIVE_FIELDS, ELECTRONIC_ACCESS, notesField } from "./shared-fields.ts";
import type { FormSection } from "./spec.ts";

/** The statuses that a new item may have; the other statuses come from circulation. */
const FIRST_STATUSES = [
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

const ITEM_SECTION: FormSection = {
  name: "item",
  fields: [
    { at: "barcode", is: "barcode" },
    { at: "materialType", is: "choice", from: "/material-types", isObject: true, required: true },
    { at: "permanentLoanType", is: "choice", from: "/loan-types", isObject: true, required: true },
    { at: "temporaryLoanType", is: "choice", from: "/loan-types", isObject: true },
    { at: "copyNumber", is: "text" },
    { at: "volume", is: "text" },
    { at: "enumeration", is: "text" },
    { at: "chronology", is: "text" },
    { at: "displaySummary", is: "text" },
    { at: "yearCaption", is: "texts" },
  ],
};

const OTHER_SECTIONS: readonly FormSection[] = [
  {
    name: "itemNotes",
    fields: [
      notesField("itemNoteTypeId", "/item-note-types"),
      {
        at: "circulationNotes",
        is: "list",
        parts: [
          { at: "noteType", is: "choice", from: ["Check in", "Check out"], required: true },
          { at: "note", is: "text", lines: 2, required: true },
          { at: "staffOnly", is: "yes" },
        ],
      },
    ],
  },
  {
    name: "itemPlace",
    isRare: true,
    fields: [
      { at: "permanentLocation", is: "choice", from: "/locations", isObject: true },
      { at: "temporaryLocation", is: "choice", from: "/locations", isObject: true },
    ],
  },
  {
    name: "itemCallNumber",
    isRare: true,
    fields: [
      { at: "itemLevelCallNumber", is: "text" },
      { at: "itemLevelCallNumberTypeId", is: "choice", from: "/call-number-types" },
      { at: "itemLevelCallNumberPrefix", is: "text" },
      { at: "itemLevelCallNumberSuffix", is: "text" },
    ],
  },
  {
    name: "condition",
    isRare: true,
    fields: [
      { at: "numberOfPieces", is: "text" },
      { at: "descriptionOfPieces", is: "text" },
      { at: "numberOfMissingPieces", is: "text" },
      { at: "missingPieces", is: "text" },
      { at: "missingPiecesDate", is: "day" },
      { at: "itemDamagedStatusId", is: "choice", from: "/item-damaged-statuses" },
      { at: "itemDamagedStatusDate", is: "day" },
    ],
  },
  ELECTRONIC_ACCESS,
  {
    name: "administration",
    fields: [
      { at: "accessionNumber", is: "text" },
      { at: "itemIdentifier", is: "text" },
      ...ADMINISTRATIVE_FIELDS,
      { at: "formerIds", is: "texts" },
      { at: "discoverySuppress", is: "yes" },
    ],
  },
];

export const ITEM_SECTIONS: readonly FormSection[] = [ITEM_SECTION, ...OTHER_SECTIONS];

/** The fields of a new item, with the status, which is later changed by circulation or by marking the item. */
export const NEW_ITEM_SECTIONS: readonly FormSection[] = [
  {
    ...ITEM_SECTION,
    fields: [...ITEM_SECTION.fields, { at: "status.name", is: "choice", from: FIRST_STATUSES, required: true }],
  },
  ...OTHER_SECTIONS,
];
