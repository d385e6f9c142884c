/**
 * The lists that fields of titles, holdings and items choose their values from, by the path of the list. Loaded
 * together with the forms.
 */

import {
  contributorNameTypes,
  holdingsNoteTypes,
  identifierTypes,
  type ListPath,
  listQuery,
  loanTypes,
  type locations,
  NAME_LISTS,
} from "./inventory.ts";

export const CHOICE_LISTS = {
  ...NAME_LISTS,
  "/loan-types": loanTypes,
  "/contributor-name-types": contributorNameTypes,
  "/contributor-types": listQuery("/contributor-types", ({ contributorTypes }) => contributorTypes),
  "/identifier-types": identifierTypes,
  "/alternative-title-types": listQuery(
    "/alternative-title-types",
    ({ alternativeTitleTypes }) => alternativeTitleTypes,
  ),
  "/call-number-types": listQuery("/call-number-types", ({ callNumberTypes }) => callNumberTypes),
  "/classification-types": listQuery("/classification-types", ({ classificationTypes }) => classificationTypes),
  "/electronic-access-relationships": listQuery(
    "/electronic-access-relationships",
    ({ electronicAccessRelationships }) => electronicAccessRelationships,
  ),
  "/holdings-note-types": holdingsNoteTypes,
  "/holdings-sources": listQuery("/holdings-sources", ({ holdingsRecordsSources }) => holdingsRecordsSources),
  "/ill-policies": listQuery("/ill-policies", ({ illPolicies }) => illPolicies),
  "/instance-note-types": listQuery("/instance-note-types", ({ instanceNoteTypes }) => instanceNoteTypes),
  "/instance-relationship-types": listQuery(
    "/instance-relationship-types",
    ({ instanceRelationshipTypes }) => instanceRelationshipTypes,
  ),
  "/item-damaged-statuses": listQuery("/item-damaged-statuses", ({ itemDamageStatuses }) => itemDamageStatuses),
  "/item-note-types": listQuery("/item-note-types", ({ itemNoteTypes }) => itemNoteTypes),
} as Record<ListPath, typeof locations>;
