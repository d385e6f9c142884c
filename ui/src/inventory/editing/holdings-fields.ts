/** The fields of holdings. */

import { ADMINISTRATIVE_FIELDS, ELECTRONIC_ACCESS, notesField } from "./shared-fields.ts";
import type { FormSection, LinePartSpec } from "./spec.ts";

const STATEMENT_PARTS: readonly LinePartSpec[] = [
  { at: "statement", is: "text" },
  { at: "note", is: "text" },
  { at: "staffNote", is: "text" },
];

export const HOLDINGS_SECTIONS: readonly FormSection[] = [
  {
    name: "place",
    fields: [
      { at: "permanentLocationId", is: "choice", from: "/locations", required: true },
      { at: "temporaryLocationId", is: "choice", from: "/locations" },
      { at: "holdingsTypeId", is: "choice", from: "/holdings-types" },
    ],
  },
  {
    name: "callNumber",
    fields: [
      { at: "callNumber", is: "text" },
      { at: "callNumberTypeId", is: "choice", from: "/call-number-types" },
      { at: "callNumberPrefix", is: "text" },
      { at: "callNumberSuffix", is: "text" },
      { at: "copyNumber", is: "text" },
      { at: "shelvingTitle", is: "text" },
    ],
  },
  { name: "notes", fields: [notesField("holdingsNoteTypeId", "/holdings-note-types")] },
  {
    name: "statements",
    isRare: true,
    fields: [
      { at: "numberOfItems", is: "text" },
      { at: "holdingsStatements", is: "list", parts: STATEMENT_PARTS },
      { at: "holdingsStatementsForSupplements", is: "list", parts: STATEMENT_PARTS },
      { at: "holdingsStatementsForIndexes", is: "list", parts: STATEMENT_PARTS },
    ],
  },
  {
    name: "receiving",
    isRare: true,
    fields: [
      { at: "receivingHistory.displayType", is: "choice", from: ["1", "2"] },
      {
        at: "receivingHistory.entries",
        is: "list",
        parts: [
          { at: "enumeration", is: "text" },
          { at: "chronology", is: "text" },
          { at: "publicDisplay", is: "yes" },
        ],
      },
    ],
  },
  {
    name: "acquisition",
    isRare: true,
    fields: [
      { at: "acquisitionMethod", is: "text" },
      { at: "acquisitionFormat", is: "text" },
      { at: "receiptStatus", is: "text" },
      { at: "illPolicyId", is: "choice", from: "/ill-policies" },
      { at: "digitizationPolicy", is: "text" },
      { at: "retentionPolicy", is: "text" },
    ],
  },
  ELECTRONIC_ACCESS,
  {
    name: "administration",
    fields: [...ADMINISTRATIVE_FIELDS, { at: "formerIds", is: "texts" }, { at: "discoverySuppress", is: "yes" }],
  },
];
