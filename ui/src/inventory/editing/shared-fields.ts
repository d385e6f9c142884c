/** Fields that titles, holdings and items have alike. */

import type { Section, Spec } from "./spec.ts";

export const ADMINISTRATIVE: readonly Spec[] = [
  { at: "statisticalCodeIds", is: "many", from: "/statistical-codes" },
  { at: "administrativeNotes", is: "texts", lines: 2 },
  { at: "tags.tagList", is: "tags" },
];

export const ELECTRONIC_ACCESS: Section = {
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

export const notesOf = (
  type: string,
  from: "/instance-note-types" | "/holdings-note-types" | "/item-note-types",
): Spec => ({
  at: "notes",
  is: "list",
  parts: [
    { at: type, is: "choice", from, usual: "Note" },
    { at: "note", is: "text", lines: 2, required: true },
    { at: "staffOnly", is: "yes" },
  ],
});
