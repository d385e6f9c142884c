/** A record as it is sent to the server: trimmed texts, without empty members. */

import { toCanonicalJson } from "../../parts/canonical.ts";
import { valueAt, withValue } from "../../settings/draft.ts";
import { cleanLinks, type Link } from "../linked/relations.ts";
import type { FieldSpec, LinePartSpec, RecordJson } from "./spec.ts";

/** Members that the form does not show are sent back unchanged. */
export function cleanRecord(record: RecordJson, specs: readonly FieldSpec[]): RecordJson {
  return specs.reduce<RecordJson>(
    (now, spec) => withValue(now, spec.at, cleanValue(spec, valueAt(now, spec.at))),
    record,
  );
}

function cleanValue(spec: FieldSpec, said: unknown): unknown {
  if (typeof said === "string") return said.trim() || undefined;
  if (!Array.isArray(said)) return said;
  if (spec.is === "titles") return cleanLinks(said as Link[], spec);
  if (spec.is === "list") return (said as RecordJson[]).map(trimLine).filter((line) => isFilled(line, spec.parts));
  const texts = (said as string[]).map((text) => text.trim()).filter(Boolean);
  return spec.is === "tags" ? [...new Set(texts.map((tag) => tag.toLowerCase()))] : texts;
}

function trimLine(line: RecordJson): RecordJson {
  const members = Object.entries(line)
    .map(([name, said]) => [name, typeof said === "string" ? said.trim() : said] as const)
    .filter(([, said]) => said !== "" && said !== undefined);
  return Object.fromEntries(members);
}

/** Whether a text was typed into a line; the default values of a new line do not count. */
export function isFilled(line: RecordJson, parts: readonly LinePartSpec[]): boolean {
  return parts.some(({ is, at }) => is === "text" && typeof line[at] === "string" && line[at].trim() !== "");
}

/** Whether saving would change the stored record. */
export function hasChanges(record: RecordJson, stored: RecordJson, specs: readonly FieldSpec[]): boolean {
  return toCanonicalJson(cleanRecord(record, specs)) !== toCanonicalJson(cleanRecord(stored, specs));
}

/** Whether a record has a value in one of these fields. */
export function hasValues(record: RecordJson, specs: readonly FieldSpec[]): boolean {
  return specs.some((spec) => {
    const said = valueAt(record, spec.at);
    return Array.isArray(said) ? said.length > 0 : said !== undefined && said !== false && said !== "";
  });
}
