/** Permissions for MARC records. */

export const NEEDS = {
  see: "marc-records-editor.item.get",
  change: "marc-records-editor.item.put",
  make: "marc-records-editor.item.post",
  suggest: "marc-records-editor.links.suggestion.post",
  plain: "source-storage.records.get",
} as const;
