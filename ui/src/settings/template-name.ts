import type { Stored } from "./kind.ts";

/** FOLIO's own templates have a description only. */
export const templateName = ({ name, description, id }: Stored) => String(name ?? description ?? id ?? "");
