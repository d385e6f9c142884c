/** The fields of a title (mod-inventory's instance), in the order of cataloguing. */

import { ADMINISTRATIVE_FIELDS, ELECTRONIC_ACCESS, notesField } from "./shared-fields.ts";
import type { FieldSpec, FormSection } from "./spec.ts";

/** Preceding and succeeding titles of a serial, and parent and child titles. */
export const RELATED_TITLE_FIELDS: readonly Extract<FieldSpec, { is: "titles" }>[] = [
  { at: "precedingTitles", is: "titles", other: "precedingInstanceId" },
  { at: "succeedingTitles", is: "titles", other: "succeedingInstanceId" },
  { at: "parentInstances", is: "titles", other: "superInstanceId", isTyped: true },
  { at: "childInstances", is: "titles", other: "subInstanceId", isTyped: true },
];

export const TITLE_SECTIONS: readonly FormSection[] = [
  {
    name: "title",
    fields: [
      { at: "title", is: "text", lines: 2, required: true },
      { at: "instanceTypeId", is: "choice", from: "/instance-types", required: true },
      { at: "indexTitle", is: "text" },
    ],
  },
  {
    name: "contributors",
    fields: [
      {
        at: "contributors",
        is: "list",
        parts: [
          { at: "name", is: "text", required: true },
          { at: "contributorNameTypeId", is: "choice", from: "/contributor-name-types", required: true },
          { at: "contributorTypeId", is: "choice", from: "/contributor-types" },
          { at: "contributorTypeText", is: "text" },
          { at: "primary", is: "only" },
        ],
      },
    ],
  },
  {
    name: "identifiers",
    fields: [
      {
        at: "identifiers",
        is: "list",
        parts: [
          { at: "identifierTypeId", is: "choice", from: "/identifier-types", required: true, usual: "ISBN" },
          { at: "value", is: "text", required: true },
        ],
      },
    ],
  },
  {
    name: "publication",
    fields: [
      {
        at: "publication",
        is: "list",
        parts: [
          { at: "publisher", is: "text" },
          { at: "place", is: "text" },
          { at: "dateOfPublication", is: "text" },
          { at: "role", is: "text" },
        ],
      },
      { at: "editions", is: "texts" },
      { at: "physicalDescriptions", is: "texts" },
      { at: "languages", is: "languages" },
      { at: "instanceFormatIds", is: "many", from: "/instance-formats" },
      { at: "natureOfContentTermIds", is: "many", from: "/nature-of-content-terms" },
    ],
  },
  {
    name: "subjects",
    fields: [
      { at: "subjects", is: "list", parts: [{ at: "value", is: "text", required: true }] },
      {
        at: "classifications",
        is: "list",
        parts: [
          { at: "classificationTypeId", is: "choice", from: "/classification-types", required: true },
          { at: "classificationNumber", is: "text", required: true },
        ],
      },
    ],
  },
  {
    name: "otherTitles",
    isRare: true,
    fields: [
      {
        at: "alternativeTitles",
        is: "list",
        parts: [
          { at: "alternativeTitleTypeId", is: "choice", from: "/alternative-title-types" },
          { at: "alternativeTitle", is: "text", required: true },
        ],
      },
      { at: "series", is: "list", parts: [{ at: "value", is: "text", required: true }] },
    ],
  },
  {
    name: "serial",
    isRare: true,
    fields: [
      { at: "publicationFrequency", is: "texts" },
      { at: "publicationRange", is: "texts" },
    ],
  },
  { name: "related", isRare: true, fields: RELATED_TITLE_FIELDS },
  { name: "notes", isRare: true, fields: [notesField("instanceNoteTypeId", "/instance-note-types")] },
  ELECTRONIC_ACCESS,
  {
    name: "administration",
    fields: [
      { at: "statusId", is: "choice", from: "/instance-statuses" },
      { at: "modeOfIssuanceId", is: "choice", from: "/modes-of-issuance" },
      { at: "catalogedDate", is: "day" },
      ...ADMINISTRATIVE_FIELDS,
      { at: "discoverySuppress", is: "yes" },
      { at: "staffSuppress", is: "yes" },
      { at: "previouslyHeld", is: "yes" },
    ],
  },
];
