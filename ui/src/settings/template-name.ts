import type { SettingRecord } from "./kind.ts";

/** FOLIO's own templates have a description only. */
export const templateName = ({ name, description, id }: SettingRecord) => String(name ?? description ?? id ?? "");
