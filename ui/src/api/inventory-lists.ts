/** What the fields of titles, holdings and items choose from, by the path of the list. Fetched with their forms. */

import {
  contributorNameTypes,
  holdingsNoteTypes,
  identifierTypes,
  loanTypes,
  type locations,
  NAMES,
  type NamedPath,
  named,
} from "./inventory.ts";

export const CHOICES = {
  ...NAMES,
  "/loan-types": loanTypes,
  "/contributor-name-types": contributorNameTypes,
  "/contributor-types": named("/contributor-types", ({ contributorTypes }) => contributorTypes),
  "/identifier-types": identifierTypes,
  "/alternative-title-types": named("/alternative-title-types", ({ alternativeTitleTypes }) => alternativeTitleTypes),
  "/call-number-types": named("/call-number-types", ({ callNumberTypes }) => callNumberTypes),
  "/classification-types": named("/classification-types", ({ classificationTypes }) => classificationTypes),
  "/electronic-access-relationships": named(
    "/electronic-access-relationships",
    ({ electronicAccessRelationships }) => electronicAccessRelationships,
  ),
  "/holdings-note-types": holdingsNoteTypes,
  "/holdings-sources": named("/holdings-sources", ({ holdingsRecordsSources }) => holdingsRecordsSources),
  "/ill-policies": named("/ill-policies", ({ illPolicies }) => illPolicies),
  "/instance-note-types": named("/instance-note-types", ({ instanceNoteTypes }) => instanceNoteTypes),
  "/instance-relationship-types": named(
    "/instance-relationship-types",
    ({ instanceRelationshipTypes }) => instanceRelationshipTypes,
  ),
  "/item-damaged-statuses": named("/item-damaged-statuses", ({ itemDamageStatuses }) => itemDamageStatuses),
  "/item-note-types": named("/item-note-types", ({ itemNoteTypes }) => itemNoteTypes),
} as Record<NamedPath, typeof locations>;
