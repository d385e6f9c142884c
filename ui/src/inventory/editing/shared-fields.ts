/** Fields that titles, holdings and items have in common. */

import type { FieldSpec, FormSection } from "./spec.ts";

export const ADMINISTRATIVE_FIELDS: readonly FieldSpec[] = [
  { at: "statisticalCodeIds", is: "many", from: "/statistical-codes" },
  { at: "administrativeNotes", is: "texts", lines: 2 },
  { at: "tags.tagList", is: "tags" },
];

export const ELECTRONIC_ACCESS: FormSection = {
  name: "electronicAccess",
  isRare: true,
  fields: [
    {
      at: "electronicAccess",
      is: "list",
      parts: [
        { at: "relationshipId", is: "choice", from: "/electronic-access-relationships" },
        { at: "uri", is: "text", required: true },
        { at: "linkText", is: "text" },
        { at: "materialsSpecification", is: "text" },
        { at: "publicNote", is: "text" },
      ],
    },
  ],
};

export const notesField = (
  type: string,
  from: "/instance-note-types" | "/holdings-note-types" | "/item-note-types",
): FieldSpec => ({
  at: "notes",
  is: "list",
  parts: [
    { at: type, is: "choice", from, usual: "Note" },
    { at: "note", is: "text", lines: 2, required: true },
    { at: "staffOnly", is: "yes" },
  ],
});
